import type { Context } from "../context.ts";
import { isJSONObject, type JSONObject, parseJSON } from "../crypto/json-object.ts";
import type { HostContext } from "../host/host-context.ts";
import type { HostRequest, RequestBody } from "../http/auth-request.ts";
import type { Cookies } from "../http/cookies.ts";
import { judgeChecks, type RunChecks } from "../oidc/checks/check.ts";
import type { Metadata } from "../oidc/issuer/metadata.ts";
import type { Connection } from "../oidc/connection.ts";
import { mapConnections } from "../oidc/connections.ts";
import type { Issuer } from "../oidc/issuer/issuer.ts";
import {
  type EndpointName,
  type ProviderResponse,
  withoutQuery,
} from "../oidc/issuer/provider-fetch.ts";
import { transactionChecks } from "../routes/find-transaction.ts";
import type { SessionData } from "../session/session.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import type { Transaction } from "../transaction/transaction.ts";
import type { Noted, StepName } from "./noted.ts";

/** What one request of a sign-in has done, with its secrets: it lives as long as the request. */
export interface Seen {
  readonly calls: Call[];
  /** The steps and checks of a callback, in their order. */
  readonly noted: Noted[];
  /** With whom: that of the checks. */
  connection?: Connection;
  metadata?: Metadata;
  /** Transactions in the cookies of the browser. */
  pending?: readonly Transaction[];
  /** The transaction of a login. */
  transaction?: Transaction;
  session?: SessionData;
  /** Whether the store has the session. */
  isStored?: boolean;
  hook?: "called" | "returned";
  refusal?: Extract<LogEvent, { event: "refusal" }>;
  signIn?: Extract<LogEvent, { event: "sign-in" }>;
  /** The form of a posted response. */
  form?: string;
}

/** A call to the provider. */
export interface Call {
  readonly endpoint: EndpointName;
  readonly method: string;
  readonly address: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly durationMs: number;
  /** `null` if no response came. */
  readonly status: number | null;
  readonly authorization: string | undefined;
  readonly form: URLSearchParams;
  /** `null` if the body is no JSON object. */
  readonly response: JSONObject | null;
  /** The body, if it is a token. */
  readonly token: string | undefined;
}

/** The same context for one request, which notes what its parts do. */
export function watchContext(context: HostContext, seen: Seen, inspectorURL: string): HostContext {
  const { pages } = context;
  return {
    ...context,
    log(event) {
      if (event.event === "refusal") seen.refusal ??= event;
      if (event.event === "sign-in") seen.signIn = event;
      context.log(event);
    },
    connections: mapConnections(context.connections, (connection) =>
      watchConnection(connection, context.clock, seen),
    ),
    signIns: watchTransactions(context, seen),
    sessions: watchSessions(context, seen),
    hooks: watchHooks(context, seen),
    pages: {
      ...pages,
      problem(problem, request, session) {
        const linked = { ...problem, inspectorURL: `${inspectorURL}#${problem.reference}` };
        return pages.problem(linked, request, session);
      },
    },
  };
}

function watchTransactions({ signIns }: Context, seen: Seen): Context["signIns"] {
  const { transactions } = signIns;
  return {
    ...signIns,
    transactions: {
      ...transactions,
      read(cookies: Cookies) {
        const present = transactions.read(cookies);
        seen.pending = present.flatMap(({ transaction }) =>
          typeof transaction === "object" ? [transaction] : [],
        );
        return present;
      },
      add(transaction, cookies, isPosted) {
        seen.transaction = transaction;
        return transactions.add(transaction, cookies, isPosted);
      },
    },
  };
}

function watchSessions({ sessions }: Context, seen: Seen): Context["sessions"] {
  return {
    ...sessions,
    async create(data, signIn, cookies) {
      seen.session = data;
      noteStep(seen, "Session");
      const written = await sessions.create(data, signIn, cookies);
      seen.isStored = written.stored.record !== null;
      return written;
    },
  };
}

function watchHooks({ hooks }: Context, seen: Seen): Context["hooks"] {
  const { afterCallback } = hooks;
  if (afterCallback === undefined) return hooks;
  return {
    ...hooks,
    async afterCallback(session, request, identity) {
      seen.hook = "called";
      noteStep(seen, "Hooks of the app");
      const kept = await afterCallback(session, request, identity);
      seen.hook = "returned";
      return kept;
    },
  };
}

function watchConnection(connection: Connection, clock: Context["clock"], seen: Seen): Connection {
  const check: RunChecks = (list, facts) => {
    seen.connection = connection;
    seen.noted.push({ list, results: () => judgeChecks(list, facts) });
    connection.check(list, facts);
    // Then the response is looked for among those that have come.
    if (list.title === transactionChecks.title) noteStep(seen, "First response to this sign-in");
  };
  return { ...connection, check, issuer: watchIssuer(connection.issuer, clock, seen) };
}

function watchIssuer(issuer: Issuer, clock: Context["clock"], seen: Seen): Issuer {
  return {
    ...issuer,
    async metadata() {
      if (seen.metadata === undefined) noteStep(seen, "Metadata of the provider");
      const metadata = await issuer.metadata();
      seen.metadata = metadata;
      return metadata;
    },
    verify: (token) =>
      issuer.verify(token).catch((error: unknown) => {
        noteStep(seen, "Keys of the provider");
        throw error;
      }),
    async fetch(address, request) {
      const at = clock();
      const { endpoint, method, headers, body } = request;
      if (endpoint === "token") noteStep(seen, "Token response");
      if (endpoint === "userinfo") noteStep(seen, "Userinfo");
      const called = {
        endpoint,
        method,
        at,
        address: withoutQuery(address),
        authorization: new Headers(headers).get("authorization") ?? undefined,
        form: body instanceof URLSearchParams ? body : new URLSearchParams(textOf(body)),
      };
      let ended: Pick<Call, "status" | "response" | "token"> = {
        status: null,
        response: null,
        token: undefined,
      };
      try {
        const response = await issuer.fetch(address, request);
        ended = await readCopy(response);
        return response;
      } finally {
        seen.calls.push({ ...called, ...ended, durationMs: clock() - at });
      }
    },
  };
}

function noteStep({ noted }: Seen, step: StepName): void {
  noted.push({ step });
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : "";
}

async function readCopy(
  response: ProviderResponse,
): Promise<Pick<Call, "status" | "response" | "token">> {
  const text = await response.text();
  const body = parseJSON(text);
  const isToken = response.headers.get("content-type")?.startsWith("application/jwt") === true;
  return {
    status: response.status,
    response: isJSONObject(body) ? body : null,
    token: isToken ? text : undefined,
  };
}

/** Longer forms are refused. */
const longestForm = 70_000;

/** The same request, whose form is noted while sign-in reads it. */
export function noteForm(request: HostRequest, seen: Seen): HostRequest {
  return {
    ...request,
    async body() {
      const body = await request.body();
      if (isStream(body))
        return copyParts(body, (piece) => {
          seen.form = ((seen.form ?? "") + piece).slice(0, longestForm);
        });
      seen.form = formOf(body);
      return body;
    },
  };
}

function isStream(body: RequestBody): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

async function* copyParts(
  body: AsyncIterable<Uint8Array | string>,
  note: (piece: string) => void,
): AsyncIterable<Uint8Array | string> {
  const decoder = new TextDecoder();
  for await (const piece of body) {
    note(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
    yield piece;
  }
}

/** The result of a parser. */
function formOf(body: Exclude<RequestBody, AsyncIterable<unknown>>): string {
  if (body === null) return "";
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  const fields = Object.entries(body).filter(([, value]) => typeof value === "string");
  return new URLSearchParams(fields as [string, string][]).toString();
}
