import type { Exchange } from "../access/exchange.ts";
import { loginURL } from "../access/addresses.ts";
import {
  asksForPage,
  leadTo,
  pageURL,
  requireSignIn,
  shownAddress,
} from "../access/guard/guard.ts";
import { requireStepUp } from "../access/guard/require-step-up.ts";
import type { Context } from "../context.ts";
import { type Forbidden, namesOf, type StepUpRequired } from "../errors/access-errors.ts";
import { LatchkeyError } from "../errors/latchkey-error.ts";
import { isTemporary, Refusal } from "../errors/refusal.ts";
import { isRead } from "../http/fetch-metadata.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { errorResponse } from "../routes/error-response.ts";

/** A request that may not go on. */
export interface Refused {
  readonly exchange: Exchange;
  readonly target: RequestTarget;
  /** Who refused it: sign-in itself, or a handler. */
  readonly by: "guard" | "app";
}

/** The response to an error of ours; `null` where it is somebody else's. */
export function refuse(
  context: Context,
  refused: Refused,
  error: unknown,
): Promise<ResponseParts> | null {
  if (!(error instanceof LatchkeyError)) return null;
  const { exchange, target, by } = refused;
  const { request } = exchange;
  const fail = (cause: unknown) => errorResponse(context, exchange, by, cause);
  switch (error.code) {
    case "ERR_SIGN_IN_REQUIRED":
    case "ERR_MISSING_SESSION":
      return Promise.resolve(requireSignIn(context.config, request, target));
    case "ERR_STEP_UP_REQUIRED":
      return requireStepUp(context, { exchange, target }, error as StepUpRequired).catch(fail);
    case "ERR_FORBIDDEN": {
      const { unmet } = error as Forbidden;
      const { config } = context;
      const { clientNavigation } = request;
      if (clientNavigation?.loadsDocument === true && isRead(request))
        return Promise.resolve(leadTo(pageURL(config, target), 302, clientNavigation));
      const returnTo = shownAddress(config, request, target);
      const detail = unmet.length === 0 ? undefined : namesOf(unmet);
      return fail(new Refusal("forbidden", { cause: error, detail, unmet, returnTo }));
    }
    case "ERR_REFUSED":
      return (error as Refusal).reason === "store_unavailable" ? fail(error) : null;
    default:
      return isTemporary(error) ? fail(error) : null;
  }
}

/** Where a page leads its person upon an error of ours; `null` where the error, or the request, is of another kind. */
export function leadOf(
  { config, stepUpSeal }: Context,
  { exchange, target }: Omit<Refused, "by">,
  error: unknown,
): string | null {
  const { request } = exchange;
  if (!(error instanceof LatchkeyError) || !asksForPage(config, request, target)) return null;
  const returnTo = shownAddress(config, request, target);
  switch (error.code) {
    case "ERR_SIGN_IN_REQUIRED":
    case "ERR_MISSING_SESSION":
      return loginURL(config, { returnTo });
    case "ERR_STEP_UP_REQUIRED":
      return loginURL(config, {
        returnTo,
        stepUp: stepUpSeal.seal((error as StepUpRequired).stepUp),
      });
    default:
      return null;
  }
}
