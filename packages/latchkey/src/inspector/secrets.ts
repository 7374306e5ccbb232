import type { Followed } from "./followed.ts";
import { parseSetCookie } from "../http/cookies.ts";

/** Parameters and members that are secrets, in requests to the provider and in its responses. */
const secretNames =
  /^(?:code|state|nonce|code_verifier|code_challenge|request_uri|client_secret|client_assertion|.*_token|session_state)$/;

/** Returns every secret that a request of a sign-in has come across. */
export function secretsOf({
  context,
  secrets,
  request,
  response,
  seen,
}: Followed): readonly string[] {
  const { connections } = context;
  const credentials = connections.all.flatMap((each) => Object.values(each.credentials.current()));
  const location = response.headers.find(([name]) => name === "Location")?.[1] ?? "";
  const query = new URL(location, request.url).searchParams;
  const forms = [new URL(request.url).searchParams, query, new URLSearchParams(seen.form)];
  const transactions = [...(seen.pending ?? []), ...(seen.transaction ? [seen.transaction] : [])];
  return [
    [...secrets.current(), ...credentials],
    [...forms, ...seen.calls.map(({ form }) => form)].flatMap((form) => secretsIn([...form])),
    seen.calls.flatMap(({ response: body }) => secretsIn(Object.entries(body ?? {}))),
    seen.calls.flatMap(({ authorization }) => authorization?.split(" ").slice(1) ?? []),
    transactions.flatMap(({ state, nonce, codeVerifier, binding }) => [
      state,
      nonce,
      codeVerifier,
      binding,
    ]),
    response.headers.flatMap(([name, value]) =>
      name === "Set-Cookie" ? parseSetCookie(value).value : [],
    ),
  ]
    .flat()
    .flatMap((each) => (typeof each === "string" ? withParts(each) : []));
}

function secretsIn(members: readonly (readonly [string, unknown])[]): readonly unknown[] {
  return members.flatMap(([name, value]) => (secretNames.test(name) ? [value] : []));
}

/** Of a signed token, each part as well. */
function withParts(secret: string): readonly string[] {
  return secret.split(".").length >= 3 ? [secret, ...secret.split(".")] : [secret];
}
