import type { IncomingMessage } from "node:http";

import type { Auth, HeaderList } from "latchkey";

import type { FetchHandler } from "../serving/http-server.ts";
import { type Access, accessTo, type HostRules } from "./check-rules.ts";
import {
  findAlias,
  identityHeaders,
  type IdentitySettings,
  withoutOurCookies,
} from "./identity-headers.ts";
import { possibleMethods } from "./method-override.ts";
import { type OriginalRequest, readOriginal } from "./original-request.ts";
import { proxies, type Question, questionAt } from "./proxies.ts";
import { refusal, tokenRefused, toProxy, toResponse } from "./replies.ts";

/** What the check answers with. */
export interface CheckSettings {
  readonly hosts: readonly HostRules[];
  readonly identity: IdentitySettings;
  /** One of these is in `aud` of an accepted access token; without any, no token is accepted. */
  readonly audiences: readonly string[];
}

export interface CheckOptions extends CheckSettings {
  readonly auth: Auth;
  /** Headers of every response that reaches a browser. */
  readonly headers: HeaderList;
  /** Receives one sentence of each kind for operators. */
  readonly warn: (message: string) => void;
}

type Admitted = Awaited<ReturnType<Auth["host"]["receiveUnguarded"]>>;

/** One question of a proxy, with what it needs of the check. */
interface Case extends CheckOptions {
  readonly question: Question;
  readonly original: OriginalRequest;
  readonly incoming: IncomingMessage;
  readonly headersOf: Request["headers"];
  readonly warn: WarnOnce;
}

/**
 * Answers proxies in front of other applications: may this request pass? It has a port of its own,
 * which only proxies reach, since it believes what they say of the original request.
 */
export function createCheck(options: CheckOptions): FetchHandler {
  const warn = oncePerKind(options.warn);
  return async (request, { incoming }) => {
    const question = questionAt(incoming.url ?? "");
    if (question === null) {
      const names = [...proxies.keys()].map((name) => `/check/${name}`).join(", ");
      return refusal(404, "not_found", `The check has the addresses ${names}.`);
    }
    const original = readOriginal(question.proxy, question.rest, incoming);
    if ("fault" in original) {
      warn(original.fault);
      return toProxy(question, refusal(400, "question_malformed", original.fault));
    }
    const asked = { ...options, warn, question, original, incoming, headersOf: request.headers };
    return toProxy(question, await answer(asked));
  };
}

async function answer(asked: Case): Promise<Response> {
  const { hosts, identity, original, incoming, headersOf, warn } = asked;
  const alias = findAlias(identity.preset, incoming.rawHeaders);
  if (alias !== undefined) {
    const description = `The header ${alias} looks like an identity header of the check. Leave it out.`;
    return refusal(400, "header_refused", description);
  }
  const host = hosts.find((each) => each.host === original.host);
  if (host === undefined) {
    const description = `The check has no rules for the host ${original.host}.`;
    warn(`${description} Add it to LATCHKEY_CHECK_RULES.`, "host_unknown");
    return refusal(403, "host_unknown", description);
  }
  const path = original.target.split("?", 1)[0] ?? "";
  const accesses: Access[] = [];
  for (const method of possibleMethods(original, headersOf)) {
    const found = accessTo(host, { method, path });
    if (found === null)
      return refusal(400, "path_ambiguous", "Servers would disagree about this path.");
    accesses.push(...found);
  }
  return answerFor(asked, accesses);
}

async function answerFor(asked: Case, accesses: readonly Access[]): Promise<Response> {
  const demanding = accesses.filter((each) => each !== "public");
  if (demanding.length === 0) return pass(asked, null);
  const rules = demanding.filter((each) => each !== "optional");
  // If a caller brings a token, its session does not count: the token alone decides.
  if (bringsToken(asked)) {
    if (rules.length === 0) return pass(asked, null);
    if (asked.audiences.length === 0) return tokenRefused();
  }
  const admitted = await admit(asked);
  try {
    const { auth } = admitted;
    for (const rule of rules) {
      if (rule === "signed-in") auth.require();
      else auth.require(rule);
    }
    return await pass(asked, admitted);
  } catch (error) {
    const recovered = (await admitted.recover(error)) ?? null;
    if (recovered === null) throw error;
    return toResponse(recovered, asked.headers);
  }
}

function bringsToken({ headersOf }: Case): boolean {
  return /^(?:bearer|dpop)\b/i.test(headersOf.get("authorization") ?? "");
}

/** The original request as sign-in reads it. */
function admit({ auth, original, headersOf }: Case): Promise<Admitted> {
  const { method, host, target } = original;
  return auth.host.receiveUnguarded((origin) => ({
    method,
    target,
    url: origin + target,
    pageURL: `${new URL(origin).protocol}//${host}${target}`,
    headers: isNoPage(method, headersOf) ? asNoPage(headersOf) : headersOf,
    body: async () => null,
  }));
}

/** A handshake of a WebSocket, or a preflight: neither can follow a redirect. */
function isNoPage(method: string, headers: Headers): boolean {
  return method === "OPTIONS" || headers.has("sec-websocket-key") || headers.has("upgrade");
}

/** Clients other than browsers do not send these headers with them. */
function asNoPage(headers: Headers): Pick<Headers, "get"> {
  const known = new Map([
    ["sec-fetch-mode", "no-cors"],
    ["sec-fetch-site", "none"],
  ]);
  return { get: (name) => known.get(name) ?? headers.get(name) };
}

/** Lets the request pass, with what the application learns of the user. */
async function pass(asked: Case, admitted: Admitted | null): Promise<Response> {
  const { identity, question, auth, headersOf, warn } = asked;
  const user = admitted?.auth.user ?? null;
  // The token of a caller is for this application alone, and in its own header.
  const sendsToken = user !== null && identity.sendsAccessToken && !bringsToken(asked);
  const accessToken = sendsToken ? await admitted?.auth.accessToken() : undefined;
  if (question.wantsResponse && question.proxy.knowsStatusesOnly) return again(asked);
  const cookies = withoutOurCookies(headersOf.get("cookie") ?? "", auth.config.cookieNames);
  const headers = new Headers([["Cache-Control", "no-store"]]);
  const connection = hasSeveral(auth.config) ? (admitted?.auth.connection ?? "") : undefined;
  for (const [name, value] of identityHeaders(identity, user, { accessToken, connection, warn }))
    headers.set(name, value);
  headers.set("Cookie", cookies);
  if (question.proxy.removesHeaders === true && cookies === "") {
    headers.delete("Cookie");
    headers.set("X-Envoy-Auth-Headers-To-Remove", "cookie");
  }
  for (const [name, value] of admitted?.commit() ?? [])
    if (name.toLowerCase() === "set-cookie") headers.append(name, value);
  return new Response(null, { status: 200, headers });
}

/** Whether users of several providers may have the same `sub`, or some belong together. */
function hasSeveral({ identity, connections }: Auth["config"]): boolean {
  return identity !== undefined || Object.keys(connections).length > 1;
}

/** The user signed in between the question and the one for its response. */
function again({ original, headers, auth }: Case): Response {
  const { protocol } = new URL(auth.config.origin);
  const isRead = original.method === "GET" || original.method === "HEAD";
  if (!isRead) return refusal(409, "try_again", "Send the request again.");
  const location = `${protocol}//${original.host}${original.target}`;
  return toResponse({ status: 302, headers: [["Location", location]], body: null }, headers);
}

/** @param kind - by default the message, which is then the same for every client */
type WarnOnce = (message: string, kind?: string) => void;

const kindsAtMost = 100;

/** Passes the first message of each kind on. Clients choose what the others would name. */
function oncePerKind(warn: (message: string) => void): WarnOnce {
  const known = new Set<string>();
  return (message, kind = message) => {
    if (known.has(kind) || known.size >= kindsAtMost) return;
    known.add(kind);
    warn(message);
  };
}
