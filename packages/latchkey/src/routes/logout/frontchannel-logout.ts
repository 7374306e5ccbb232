import type { Exchange } from "../../request/exchange.ts";
import type { Config } from "../../config/config.ts";
import type { Context } from "../../context.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import type { HeaderList } from "../../http/headers.ts";
import { collectParameters } from "../../http/parameters.ts";
import { html, type ResponseParts } from "../../http/response-parts.ts";
import { isOurIssuer } from "../../oidc/issuer/tenants.ts";
import { isName } from "../../oidc/tokens/token-claims.ts";
import type { EndedList } from "../../session/marks/ended-list.ts";
import { logRefusal, notEnabled } from "./provider-logout.ts";

/** As the log calls it. */
const route = "frontchannel-logout";

/**
 * Ends the session named by a frame in the provider's own page (Front-Channel Logout 1.0, 3).
 * Browsers keep cookies out of such a frame, so both `iss` and `sid` are required.
 */
export async function frontchannelLogout(
  context: Context,
  { request }: Exchange,
): Promise<ResponseParts> {
  const { config } = context;
  const { frontchannelLogout: isOn, issuerBaseURL } = config;
  const ended = isOn ? context.ended : null;
  if (ended === null) return notEnabled(context, route);
  const sid = namedSession(request, config, await publishedIssuer(context));
  const status = sid === null ? logIgnored(context) : await endNamed(context, ended, sid);
  // The frame is invisible.
  return html("", status, frameHeaders(issuerBaseURL));
}

/** The issuer of many tenants is needed to recognize that of one; nothing else is requested. */
async function publishedIssuer({ config, provider }: Context): Promise<string> {
  if (config.tenants === undefined) return config.issuerBaseURL;
  return provider.metadata().then(
    ({ issuer }) => issuer,
    () => config.issuerBaseURL,
  );
}

/** The `sid` of a request of our issuer; `null` for any other request. */
function namedSession(request: HostRequest, config: Config, published: string): string | null {
  const query = new URL(request.url).searchParams;
  const { parameters, repeated } = collectParameters(query, ["iss", "sid"]);
  const sid = parameters.get("sid");
  const isOurs = repeated.length === 0 && isOurIssuer(parameters.get("iss"), config, published);
  return isOurs && isName(sid, sidCharactersAtMost) ? sid : null;
}

const sidCharactersAtMost = 1024;

function logIgnored({ log }: Context): number {
  log({ event: "refusal", route, reason: "frontchannel_ignored", status: 200 });
  return 200;
}

/**
 * Ends the session. If the store fails, the provider gets an error, since the session continues.
 */
async function endNamed(context: Context, ended: EndedList, sid: string): Promise<number> {
  try {
    await ended.endNamed({ sid });
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
