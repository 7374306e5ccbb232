import { domainOfEmail } from "../config/email-domain.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { isInTab, isSameOrigin } from "../http/fetch-metadata.ts";
import type { Parameters } from "../http/parameters.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Connections } from "../oidc/connections.ts";
import type { Exchange } from "../request/exchange.ts";
import { lostWay } from "../request/guard/require-sign-in.ts";
import { activeSession, foundSession, type SessionResult } from "../session/read-session.ts";
import { isAtHost, isOfferedAt, onlyOffered, requiredAt, takesEmail } from "./offered-here.ts";
import type { Question } from "./sign-in-page.ts";

export interface WantedConnection {
  /** That of the address; `null` if it names none. */
  readonly named: Connection | null;
  /** Everything that the login was given. */
  readonly source: URLSearchParams;
  /** Those of the route. */
  readonly parameters: Parameters;
  /** Whether the user has just chosen the connection on our page. */
  readonly isChosen: boolean;
}

/** What a login leads to: a connection, the page on which the user chooses, or a question first. */
export type Choice =
  | { readonly kind: "connection"; readonly connection: Connection; readonly hint?: string }
  | { readonly kind: "page"; readonly notice?: "removed" }
  | { readonly kind: "question"; readonly question: Omit<Question, "source"> };

/**
 * Chooses the connection of a login: that of the issuer which a third party names, that of the
 * session which has to prove more, that of its address, one of those that an access rule requires,
 * that of an email address, the only one offered here, or that of the session which has ended.
 *
 * @throws {Refusal} `foreign_issuer`: only issuers of ours count, any other one would be an open
 *   redirect; `cross_site_request` for an email address from another site
 */
export async function chooseConnection(
  context: Context,
  exchange: Exchange,
  { named, source, parameters, isChosen }: WantedConnection,
): Promise<Choice> {
  const { config, connections, signIns } = context;
  const issuer = parameters.get("iss");
  if (issuer !== undefined && !isChosen)
    return byIssuer(context, exchange, { named, source, issuer });
  const { stepUp } = signIns.loginSeal.open(parameters.get("stepUp"));
  const isProof = parameters.has("stepUp") && stepUp?.isFirst !== true;
  const proving = isProof ? await ofActiveSession(context, exchange) : null;
  if (proving !== null) return chosen(proving);
  if (named !== null) return chosen(named);
  const [required, ...others] = await requiredAt(context, stepUp?.connections);
  if (required !== undefined) return others.length === 0 ? chosen(required) : { kind: "page" };
  const here = connections.all.filter((each) => isOfferedAt(each, config));
  const email = takesEmail(connections, here) ? emailIn(exchange, source) : null;
  if (email !== null) return byEmail(context, exchange, email);
  const only = onlyOffered(connections, config);
  if (only !== null) return chosen(only);
  const isForSession = ["stepUp", "prompt", "restart"].some((name) => parameters.has(name));
  const result = await exchange.read().catch(() => null);
  const lost = result && lostWay(result);
  if (lost === "removed") return { kind: "page", notice: lost };
  if (lost === "ended") return { kind: "page" };
  const ofSession = sessionsConnection(connections, result, { isForSession });
  return ofSession !== null && isAtHost(ofSession, config) ? chosen(ofSession) : { kind: "page" };
}

/** Only its own connection can prove more of a session; `null` without one, or without others. */
async function ofActiveSession(
  { connections }: { readonly connections: Connections },
  exchange: Exchange,
): Promise<Connection | null> {
  if (connections.default.named === undefined) return null;
  const stored = activeSession(await exchange.read().catch(() => null));
  return stored && connections.ofSession(stored.header);
}

function chosen(connection: Connection, hint?: string): Choice {
  return { kind: "connection", connection, ...(hint !== undefined && { hint }) };
}

interface StartedElsewhere extends Pick<WantedConnection, "named" | "source"> {
  readonly issuer: string;
}

/**
 * A login started by a third party (OpenID Connect Core, section 4; `client_id` of the Enterprise
 * Extensions). Where there are several connections, a user who is new to one is shown it first.
 */
async function byIssuer(
  context: Context,
  exchange: Exchange,
  { named, source, issuer }: StartedElsewhere,
): Promise<Choice> {
  const { config, connections } = context;
  const candidates = named === null ? connections.all : [named];
  const client = source.get("client_id");
  const here = candidates.filter((each) => isAtHost(each, config));
  const areNamed = await Promise.all(here.map((each) => each.issuer.isNamed(issuer)));
  const ofIssuer = here.filter((_, place) => areNamed[place]);
  if (ofIssuer.length === 0 && named === null) {
    const found = await connections.ofIssuer(issuer);
    if (found !== null && isAtHost(found, config)) ofIssuer.push(found);
  }
  if (connections.default.named === undefined) return chosen(firstOf(ofIssuer));
  const among = ofIssuer.filter(({ clientID }) => client === null || clientID === client);
  const first = firstOf(among);
  const isOne = among.length === 1;
  if (isOne && isInTab(exchange.request) && (await isKnown(context, exchange, first))) {
    return chosen(first);
  }
  const label = isOne ? first.label : undefined;
  return { kind: "question", question: { among, notice: { kind: "elsewhere", label } } };
}

/** @throws {Refusal} `foreign_issuer` if there is none */
function firstOf([first]: readonly Connection[]): Connection {
  if (first === undefined) throw new Refusal("foreign_issuer");
  return first;
}

/** Whether this browser has signed in with a connection before. */
async function isKnown(
  { connections, signIns }: Context,
  exchange: Exchange,
  { id }: Connection,
): Promise<boolean> {
  if (signIns.lastConnection.read(exchange.cookies) === id) return true;
  const result = await exchange.read().catch(() => null);
  return sessionsConnection(connections, result, { isForSession: true })?.id === id;
}

/** A posted email address; `null` without one. */
function emailIn({ request }: Exchange, source: URLSearchParams): string | null {
  return request.method === "POST" ? source.get("email") : null;
}

/** The user reads the same for a domain of no connection and for one of another host. */
async function byEmail(
  { config, connections }: Context,
  { request }: Exchange,
  written: string,
): Promise<Choice> {
  if (!isSameOrigin(request, config.origin)) {
    throw new Refusal("cross_site_request", { detail: "POST of an email address" });
  }
  const value = written.trim();
  const domain = domainOfEmail(value);
  const found = domain === null ? null : await connections.ofDomain(domain);
  if (found !== null && isAtHost(found, config)) return chosen(found, value);
  const fault = domain === null ? "malformed" : "unknown";
  return { kind: "question", question: { email: { value, fault } } };
}

/** That of a session that has ended, or that the login is about. */
function sessionsConnection(
  connections: Connections,
  result: SessionResult | null,
  { isForSession }: { readonly isForSession: boolean },
): Connection | null {
  const stored = result && foundSession(result);
  if (stored === null || (result?.state === "active" && !isForSession)) return null;
  return connections.ofSession(stored.header);
}
