import type { DefaultContext, DefaultState, Middleware, ParameterizedContext } from "koa";

import type { RequestAuth } from "../host/request-auth.ts";
import type { Auth } from "../index.ts";
import type { AdmittedRequest } from "../host/admitted-request.ts";
import { mayBeErrorPage } from "../host/refuse.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { assertAuth } from "./assert-auth.ts";
import { type FrameworkRequest, open } from "./node-http/node-request.ts";
import { write } from "./node-http/node-response.ts";

declare module "koa" {
  interface DefaultState {
    /** Who makes this request. `latchkey(auth)` sets it. */
    auth: RequestAuth;
  }
}

type Context = ParameterizedContext<DefaultState, DefaultContext>;

/**
 * Sign-in as one middleware: answers the auth routes, guards everything else unless it is public,
 * and adds the session's headers to the app's response, whichever middleware makes it.
 *
 * Middleware behind it reads the user from `ctx.state.auth`.
 */
export function latchkey(auth: Auth): Middleware {
  assertAuth(auth);
  return async (ctx, next) => {
    const admitted = await open(auth, ctx.req, ctx.res, koaRequest(ctx));
    if (admitted === null) {
      ctx.respond = false;
      return;
    }
    ctx.state.auth = admitted.auth;
    const recovered = await recoverAfter(admitted, ctx, next);
    if (recovered !== null) write(recovered, ctx.res);
  };
}

/**
 * `koa-mount` keeps the removed path in `mountPath`, and parsers keep the body in `request.body`.
 */
function koaRequest({ originalUrl: sent, mountPath, request }: Context): FrameworkRequest {
  const parsed = () => (request as { readonly body?: unknown }).body;
  return { sent, mountPath: typeof mountPath === "string" ? mountPath : "", parsed };
}

/**
 * Our response to an error of ours, thrown to here or turned into an error page by a middleware.
 */
async function recoverAfter(
  admitted: AdmittedRequest,
  ctx: Context,
  next: () => Promise<unknown>,
): Promise<ResponseParts | null> {
  let refusal: unknown;
  admitted.onRefused((error) => (refusal = error));
  try {
    await next();
  } catch (error) {
    const recovering = admitted.recover(error);
    if (recovering === null) throw error;
    return recovering;
  }
  return mayBeErrorPage(ctx.status, refusal) && ctx.writable ? admitted.recover(refusal) : null;
}
