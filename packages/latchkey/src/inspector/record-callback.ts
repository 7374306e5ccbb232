import type { JSONObject } from "../crypto/json-object.ts";
import type { CallbackFacts } from "./callback-steps.ts";
import { describeToken, toText } from "./decode-token.ts";
import type { Followed } from "./followed.ts";
import { judgeCallback } from "./judge-callback.ts";
import { createHide, type Hide, maskParameter } from "./mask.ts";
import type { RecentSignIns } from "./recent-sign-ins.ts";
import { secretsOf } from "./secrets.ts";
import type { Document, Fact, SignInEntry, Step } from "./sign-in.ts";
import { hideStep, parameterFacts, placeOf, refusalStep, setCookiesOf } from "./steps.ts";
import type { Call } from "./watch-context.ts";

/** Records the second half of a sign-in: the authorization response and what follows from it. */
export function recordCallback(signIns: RecentSignIns, followed: Followed): void {
  const { seen, request, at } = followed;
  // A prefetch.
  if (seen.pending === undefined && seen.refusal === undefined) return;
  const parameters = new URLSearchParams(seen.form ?? new URL(request.url).search);
  const entry = signIns.answered(parameters.get("state") ?? undefined, at);
  const { id } = seen.connection ?? followed.context.connections.default;
  entry.place ??= placeOf(followed.context, id);
  const hide = createHide(secretsOf(followed));
  const facts = factsOf(followed, parameters);
  const steps: readonly Step[] = [
    {
      title: "Authorization response",
      at,
      facts: [
        ["request", `${request.method} ${new URL(request.url).pathname}`],
        ...parameterFacts(parameters),
      ],
      documents: documentsOf("ID token of the response", parameters.get("id_token")),
    },
    ...seen.calls.map(callStep),
    { title: "Checks", at: followed.context.clock(), facts: [], checks: judgeCallback(facts) },
    ...endSteps(followed),
  ];
  entry.steps.push(...steps.map((step) => hideStep(hide, step)));
  finish(entry, followed, hide);
}

function finish(entry: SignInEntry, { seen }: Followed, hide: Hide): void {
  const { signIn, refusal, session } = seen;
  if (signIn !== undefined) {
    const { name, email, sub } = session?.user ?? { sub: signIn.sub };
    entry.result = "signed in";
    entry.session = signIn.session;
    entry.summary = hide([name, email, sub].find((each) => typeof each === "string") as string);
  } else if (refusal !== undefined) {
    entry.result = "failed";
    entry.id = refusal.reference ?? entry.id;
    entry.summary = refusal.reason;
  }
}

function factsOf(
  { seen, context, response }: Followed,
  parameters: URLSearchParams,
): CallbackFacts {
  return {
    config: context.config,
    connection: seen.connection ?? context.connections.default,
    seen,
    parameters,
    tokenCall: seen.calls.find(({ endpoint }) => endpoint === "token"),
    userinfoCall: seen.calls.find(({ endpoint }) => endpoint === "userinfo"),
    cookieBytes: setCookiesOf(response).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

const callTitles: Partial<Readonly<Record<Call["endpoint"], string>>> = {
  token: "Token request",
  userinfo: "Userinfo request",
};

function callStep(call: Call): Step {
  const { endpoint, method, address, at, durationMs, status, form, response } = call;
  return {
    title: callTitles[endpoint] ?? `Request: ${endpoint}`,
    at,
    facts: [
      ["request", `${method} ${address}`],
      ["client authentication", authenticationOf(call)],
      ...[...form].map(([name, value]): Fact => [name, maskParameter(name, value)]),
      ["response", `${status === null ? "none" : `status ${status}`}, after ${durationMs} ms`],
    ],
    documents: [
      ...Object.entries(response ?? {}).flatMap(([name, value]) =>
        endpoint === "token" && name.endsWith("_token") && typeof value === "string"
          ? describeToken(name, value)
          : [],
      ),
      ...(response === null ? [] : [{ title: "Other members", text: toText(membersOf(call)) }]),
      ...documentsOf("Userinfo token", call.token),
    ],
  };
}

function authenticationOf({ authorization, form, endpoint }: Call): string {
  if (authorization !== undefined) return `${authorization.split(" ", 1)[0]} (hidden)`;
  if (form.has("client_assertion")) return "client_assertion in the form";
  if (form.has("client_secret")) return "client_secret in the form";
  return endpoint === "token" ? "none" : "not needed";
}

/** The response without its tokens. */
function membersOf({ response, endpoint }: Call): JSONObject {
  if (endpoint !== "token") return response ?? {};
  return Object.fromEntries(
    Object.entries(response ?? {}).filter(([name]) => !name.endsWith("_token")),
  );
}

function documentsOf(name: string, token: string | null | undefined): readonly Document[] {
  return token === null || token === undefined ? [] : describeToken(name, token);
}

/** What came of the checks. */
function endSteps(followed: Followed): readonly Step[] {
  const { seen, response, context } = followed;
  const { refusal, session, signIn } = seen;
  const cookies = setCookiesOf(response);
  if (signIn === undefined && refusal !== undefined) {
    return [{ ...refusalStep(refusal, followed), cookies }];
  }
  if (session === undefined) return [];
  const {
    user,
    accessTokenScope,
    accessTokenExpiresAt,
    accessToken,
    refreshToken,
    idToken,
    ...more
  } = session;
  return [
    {
      title: "Session",
      at: context.clock(),
      facts: [
        ["leads to", response.headers.find(([name]) => name === "Location")?.[1] ?? "nowhere"],
        ["kept in", seen.isStored === true ? "the store" : "cookies"],
        ["access token", describeKept(accessToken)],
        ["scope", accessTokenScope ?? "none"],
        [
          "access token expires",
          accessTokenExpiresAt === undefined ? "unknown" : isoTime(accessTokenExpiresAt),
        ],
        ["refresh token", describeKept(refreshToken)],
        ["ID token", describeKept(idToken)],
      ],
      documents: [
        { title: "User", text: toText(user) },
        ...(Object.keys(more).length === 0 ? [] : [{ title: "More", text: toText(more) }]),
      ],
      cookies,
    },
  ];
}

function describeKept(token: unknown): string {
  return typeof token === "string" ? `kept (${token.length} characters)` : "not kept";
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
