import type { Runtime } from "../../config/runtime.ts";
import type { Exchange } from "../../request/exchange.ts";
import type { Context } from "../../context.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import type { HeaderList } from "../../http/headers.ts";
import { collectParameters, queryOf } from "../../http/parameters.ts";
import { html, type ResponseParts } from "../../http/response-parts.ts";
import type { Connection } from "../../oidc/connection.ts";
import type { Issuer } from "../../oidc/issuer/issuer.ts";
import { isName } from "../../oidc/tokens/token-claims.ts";
import type { EndsByProvider } from "../../session/marks/ended-list.ts";
import { endsBy, logRefusal, notEnabled } from "./provider-logout.ts";

/** As the log calls it. */
const route = "frontchannel-logout";

/**
 * Ends the session named by a frame in the provider's own page (Front-Channel Logout 1.0, 3).
 * Browsers keep cookies out of such a frame, so both `iss` and `sid` are required.
 */
export async function frontchannelLogout(
  context: Context,
  { request }: Exchange,
  connection: Connection,
): Promise<ResponseParts> {
  const { issuer } = connection;
  const ends = endsBy(route, context.ended, connection);
  if (ends === null) return notEnabled(context, route);
  const sid = await namedSession(request, issuer);
  const status = sid === null ? logIgnored(context) : await endNamed(context, ends, sid);
  // The frame is invisible.
  return html("", status, frameHeaders(issuer.name));
}

/** The `sid` of a request of our issuer; `null` for any other request. */
async function namedSession(request: HostRequest, issuer: Issuer): Promise<string | null> {
  const query = queryOf(request);
  const { parameters, repeated } = collectParameters(query, ["iss", "sid"]);
  const [iss, sid] = [parameters.get("iss"), parameters.get("sid")];
  if (repeated.length > 0 || iss === undefined || !isName(sid, sidCharactersAtMost)) return null;
  // Without its metadata, the issuer of many tenants cannot recognize that of one.
  const isOurs = await issuer.isNamed(iss).catch(() => false);
  return isOurs ? sid : null;
}

const sidCharactersAtMost = 1024;

function logIgnored({ log }: Pick<Runtime, "log">): number {
  log({ event: "refusal", route, reason: "frontchannel_ignored", status: 200 });
  return 200;
}

/**
 * Ends the session. If the store fails, the provider gets an error, since the session continues.
 */
async function endNamed(context: Context, ends: EndsByProvider, sid: string): Promise<number> {
  try {
    await ends.endNamed({ sid });
  } catch (error) {
    logRefusal(context, route, error);
    return 400;
  }
  context.log({ event: "sign-out", reason: "frontchannel", sid });
  return 200;
}

/** Only the provider's pages may frame this response. */
function frameHeaders(issuer: string): HeaderList {
  const { origin } = new URL(issuer);
  return [
    ["Content-Security-Policy", `default-src 'none'; frame-ancestors ${origin}`],
    ["Cache-Control", "no-cache, no-store"],
    ["Pragma", "no-cache"],
  ];
}
