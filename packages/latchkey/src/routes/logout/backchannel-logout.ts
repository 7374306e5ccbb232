import type { Context } from "../../context.ts";
import { nowSeconds, type Runtime } from "../../config/runtime.ts";
import type { Exchange } from "../../request/exchange.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { readForm } from "../../http/form.ts";
import { readParameters } from "../../http/parameters.ts";
import { json, type ResponseParts } from "../../http/response-parts.ts";
import type { Connection } from "../../oidc/connection.ts";
import { type LogoutToken, verifyLogoutToken } from "../../oidc/tokens/logout-token.ts";
import type { EndsByProvider } from "../../session/marks/ended-list.ts";
import { repeatInBackground } from "../../time/repeat-in-background.ts";
import { endedResponse, endsBy, logRefusal, notEnabled } from "./provider-logout.ts";

/** As the log calls it. */
const route = "backchannel-logout";

const replayed = { reason: "token_replayed", kind: "logout_token" } as const;

/** The error codes of the specification, section 8. */
type ErrorCode = "invalid_request" | "application_error" | "unknown_error";

/**
 * Ends the sessions named by a logout token of the provider (Back-Channel Logout 1.0, 2.5 to 2.8),
 * even those not known here.
 */
export async function backchannelLogout(
  context: Context,
  exchange: Exchange,
  connection: Connection,
): Promise<ResponseParts> {
  const ends = endsBy(route, context.ended, connection);
  if (ends === null) return notEnabled(context, route);
  return endNamedSessions(context, { connection, ends }, exchange.request);
}

interface Ending {
  readonly connection: Connection;
  readonly ends: EndsByProvider;
}

async function endNamedSessions(
  context: Context,
  { connection, ends }: Ending,
  request: HostRequest,
): Promise<ResponseParts> {
  let token: LogoutToken;
  try {
    token = await readLogoutToken(context, connection, request);
  } catch (error) {
    return refuse(context, error, codeOf(error));
  }
  try {
    // Remembered last, so the same token works again after a fault of the store.
    const isKnown = await ends.knowsToken(token.jti);
    if (!isKnown) await ends.endNamed(token);
    const isNew = !isKnown && (await remember(context, ends, token));
    if (!isNew) return refuse(context, new Refusal(replayed), "invalid_request");
  } catch (error) {
    return refuse(context, error, "application_error");
  }
  const { sub, sid, jti: cause } = token;
  context.log({ event: "sign-out", reason: "backchannel", sub, sid, cause });
  return endedResponse(connection);
}

/** A failed attempt leaves no trace, though its write may have arrived: the provider repeats it. */
async function remember(
  context: Context,
  ends: EndsByProvider,
  { jti, replayableUntil }: LogoutToken,
): Promise<boolean> {
  const owner = context.randomText(16);
  try {
    return await ends.rememberToken(jti, owner, replayableUntil);
  } catch (error) {
    const forget = async () => ends.forgetToken(jti, owner);
    await forget().catch(() => repeatInBackground(context, forget));
    throw error;
  }
}

async function readLogoutToken(
  { clock }: Pick<Runtime, "clock">,
  connection: Connection,
  request: HostRequest,
): Promise<LogoutToken> {
  const form = readParameters(await readForm(request), ["logout_token"]);
  return verifyLogoutToken(connection, form.get("logout_token"), () => nowSeconds({ clock }));
}

/**
 * If the provider's keys are unavailable, it may send the token again, as after a fault of ours.
 */
function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof Refusal)) return "unknown_error";
  return error.status >= 500 ? "application_error" : "invalid_request";
}

function refuse(context: Context, error: unknown, code: ErrorCode): ResponseParts {
  const { message } = logRefusal(context, route, error);
  return json({ error: code, error_description: message }, 400);
}
