import type { Config } from "../config/config.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { isNoNavigation, isPrefetch, isSameOrigin } from "../http/fetch-metadata.ts";
import { redirect, type ResponseParts } from "../http/response-parts.ts";
import type { Connection } from "../oidc/connection.ts";
import { loginURL, withQuery } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { activeSession } from "../session/read-session.ts";
import { beginLogin } from "./login.ts";
import { carriedFields, loginSource } from "./login-request.ts";
import { isAtHost, onlyOffered, requiredBy } from "./offered-here.ts";
import { signInPage } from "./sign-in-page.ts";

/**
 * `<pages prefix>/sign-in`: shows the ways to sign in, and begins the sign-in with the chosen one.
 * Scripts and prefetches start nothing.
 */
export async function choose(context: Context, exchange: Exchange): Promise<ResponseParts> {
  const { request } = exchange;
  const source = await loginSource(request);
  if (request.method === "POST") checkOwnForm(context.config, exchange);
  if (isNoNavigation(request) || isPrefetch(request)) {
    return signInPage(context, exchange, { source });
  }
  if (request.method === "POST") return beginChosen(context, exchange, source);
  const connection = await onlyWay(context, exchange, source);
  if (connection === null) return signInPage(context, exchange, { source });
  const fields = carriedFields(context.connections.all, source);
  return redirect(
    withQuery(loginURL(context.config, { connection: connection.named }), fields),
    302,
  );
}

/** Returns the way of a user with nothing to choose; `null` for others, and after a failure. */
async function onlyWay(
  context: Context,
  exchange: Exchange,
  source: URLSearchParams,
): Promise<Connection | null> {
  const { config, connections } = context;
  if (source.has("notice")) return null;
  const [required, ...others] = await requiredBy(context, source.get("stepUp"));
  if (required !== undefined) return others.length === 0 ? required : null;
  const only = onlyOffered(connections, config);
  if (only !== null) return only;
  const stored = source.has("stepUp") ? activeSession(await exchange.read()) : null;
  return stored && connections.ofSession(stored.header);
}

/** @throws {Refusal} `cross_site_request` for the form of another site */
function checkOwnForm(config: Config, { request }: Exchange): void {
  if (isSameOrigin(request, config.origin)) return;
  throw new Refusal("cross_site_request", { detail: "POST of a way to sign in" });
}

async function beginChosen(
  context: Context,
  exchange: Exchange,
  source: URLSearchParams,
): Promise<ResponseParts> {
  const { config, connections } = context;
  const id = source.get("connection");
  if (id === null) return beginLogin(context, exchange, { source, named: null });
  const named = await connections.byID(id);
  if (named !== null && isAtHost(named, config)) {
    return beginLogin(context, exchange, { source, named, isChosen: true });
  }
  return signInPage(context, exchange, { source, notice: { kind: "removed" } });
}
