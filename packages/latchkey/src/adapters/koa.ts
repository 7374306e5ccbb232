import type { DefaultContext, DefaultState, Middleware, ParameterizedContext } from "koa";

import type { RequestAuth } from "../access/request-auth.ts";
import type { Auth } from "../auth.ts";
import type { AdmittedRequest } from "../host/host.ts";
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
 * Sign-in as one middleware: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to what the app sends, whichever middleware makes it.
 *
 * Middleware behind it find who makes the request in `ctx.state.auth`.
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
    const recovered = await recoveredFrom(admitted, ctx, next);
    if (recovered !== null) write(recovered, ctx.res);
  };
}

/** `koa-mount` tells in `mountPath` what it took from the target; parsers put what they read into `request.body`. */
function koaRequest({ originalUrl: sent, mountPath, request }: Context): FrameworkRequest {
  const parsed = () => (request as { readonly body?: unknown }).body;
  return { sent, mountPath: typeof mountPath === "string" ? mountPath : "", parsed };
}

/** Our response to an error of ours, whether it comes here or a middleware has made an error page of it. */
async function recoveredFrom(
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
  return ctx.status >= 400 && ctx.writable ? admitted.recover(refusal) : null;
}
