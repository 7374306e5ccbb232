import type { Config } from "../../config/config.ts";
import type { FormToSend, Pages } from "../../config/pages.ts";
import type { SignIns } from "../../context.ts";
import type { StepUp, StepUpRequired } from "../../errors/access-errors.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import { unauthorized } from "../../http/error-json.ts";
import { isRead, isSameOrigin } from "../../http/fetch-metadata.ts";
import { readForm } from "../../http/form.ts";
import { cookieHeaders } from "../../http/headers.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import { activeSession } from "../../session/read-session.ts";
import type { SessionHeader } from "../../session/session.ts";
import { absolute, keptFormPath, type LoginParameters, loginURL } from "../../config/addresses.ts";
import type { Exchange } from "../exchange.ts";
import { wantsPage, leadTo, sessionChallenge } from "./require-sign-in.ts";
import { pageURL, shownAddress } from "./page-address.ts";

/** What leads to a sign-in that proves more. */
interface StepUpWays {
  readonly config: Config;
  readonly pages: Pick<Pages, "stepUp">;
  readonly signIns: Pick<SignIns, "loginSeal">;
  readonly keptForms: {
    /** Returns `Set-Cookie` values; `null` if the form is too large for them. */
    keep(
      form: Omit<FormToSend, "homeURL"> & Pick<SessionHeader, "subTag">,
      connection: string | undefined,
    ): readonly string[] | null;
  };
}

/**
 * Answers a request whose person must prove anew, or better, who they are: the way to login and
 * back for a page, the parameters of RFC 9470, section 3, for an API path and for other requests
 * than navigations. A posted form is kept meanwhile, and offered again.
 *
 * @throws {Refusal} `form_not_sent` if it cannot be kept and a browser shows our page
 */
export async function requireStepUp(
  context: StepUpWays,
  { exchange, target }: { readonly exchange: Exchange; readonly target: RequestTarget },
  { stepUp, message }: StepUpRequired,
): Promise<ResponseParts> {
  const { config, signIns } = context;
  const { request } = exchange;
  if (!wantsPage(config, request, target)) return challenge(config, stepUp, message);
  const returnTo = shownAddress(config, request, target);
  const sealed = signIns.loginSeal.seal({ stepUp });
  if (isRead(request)) {
    const location = stepUpURL(context, stepUp, { returnTo, stepUp: sealed });
    return leadTo(location, request);
  }
  const header = activeSession(exchange.current())?.header;
  const kept = await keepForm(context, exchange, { target, header });
  // A framework's client would show no page of ours: it leads back to the page with the form.
  if (kept === null && request.pageClient === undefined)
    throw new Refusal("form_not_sent", { returnTo, stepUp: sealed });
  const location = stepUpURL(context, stepUp, {
    returnTo: kept === null ? returnTo : config.basePath + keptFormPath(config),
    stepUp: sealed,
  });
  const { headers, ...parts } = leadTo(location, request);
  return { ...parts, headers: [...headers, ...cookieHeaders(kept ?? [])] };
}

/** Returns the address of the page that explains the sign-in, if there is one, or of login. */
export function stepUpURL(
  { config, pages }: Pick<StepUpWays, "config" | "pages">,
  { maxAge, acr }: StepUp,
  parameters: LoginParameters,
): string {
  const login = loginURL(config, parameters);
  if (pages.stepUp === undefined) return login;
  const limit = acr === undefined && maxAge !== undefined ? `&maxAge=${maxAge}` : "";
  return absolute(config, config.pagesPrefix + pages.stepUp) + new URL(login).search + limit;
}

/**
 * Keeps the form of a request during a sign-in, so that the user can send it afterwards.
 *
 * A form posted by another site is not kept: sent again from our page it would look like the user's
 * own.
 *
 * @returns the `Set-Cookie` values; `null` if the form cannot be kept: it is too large, it is no
 *   form, or its body was read before
 */
async function keepForm(
  { config, keptForms }: StepUpWays,
  { request }: Exchange,
  {
    target,
    header,
  }: { readonly target: RequestTarget; readonly header: SessionHeader | undefined },
): Promise<readonly string[] | null> {
  if (request.method !== "POST" || !isSameOrigin(request, config.origin)) return null;
  const fields = await readForm(request).catch(() => null);
  if (fields === null || header === undefined || fields.size === 0) return null;
  const { subTag, connection } = header;
  const form = { action: pageURL(config, target), fields: [...fields], subTag };
  return keptForms.keep(form, connection);
}

function challenge(config: Config, { maxAge, acr }: StepUp, description: string): ResponseParts {
  const error = "insufficient_user_authentication";
  const demands = {
    ...(acr === undefined ? {} : { acr_values: acr.join(" ") }),
    ...(maxAge === undefined ? {} : { max_age: maxAge }),
  };
  return unauthorized(
    { error, description, ...demands },
    sessionChallenge(config, { error, error_description: description, ...demands }),
  );
}
