import type { Config } from "../config/config.ts";
import { postsResponse } from "../oidc/authorization-request.ts";
import type { Connection } from "../oidc/connection.ts";
import type { StepName } from "./noted.ts";
import type { Call, Seen } from "./watch-context.ts";

/** What the steps of one callback have needed and got. */
export interface CallbackFacts {
  readonly config: Config;
  readonly connection: Connection;
  readonly seen: Seen;
  /** Of the authorization response. */
  readonly parameters: URLSearchParams;
  readonly tokenCall: Call | undefined;
  readonly userinfoCall: Call | undefined;
  /** Bytes of the cookies of the session. */
  readonly cookieBytes: number;
}

interface StepValues {
  readonly expected: string;
  readonly actual: string | null;
}

type DescribeStep = (facts: CallbackFacts, hasFailed: boolean) => StepValues;

/** What each step needs, and what it got. */
export const describeStep: Readonly<Record<StepName, DescribeStep>> = {
  Parameters: ({ connection, parameters }) => ({
    expected: postsResponse(connection) ? "in a form" : "in the address",
    actual: [...new Set(parameters.keys())].join(", ") || null,
  }),
  "First response to this sign-in": (_, hasFailed) => ({
    expected: "yes",
    actual: hasFailed ? "no" : "yes",
  }),
  "Metadata of the provider": ({ connection, seen: { metadata } }) => ({
    expected: `of ${connection.issuer.name}`,
    actual: metadata === undefined ? null : `issuer ${metadata.issuer}`,
  }),
  "Keys of the provider": () => ({ expected: "a key set", actual: null }),
  "Token response": ({ tokenCall }) => ({
    expected: "status 200 with tokens",
    actual: statusOf(tokenCall),
  }),
  Userinfo: ({ userinfoCall }) => ({ expected: "status 200", actual: statusOf(userinfoCall) }),
  "Hooks of the app": ({ seen }) => ({
    expected: "a session",
    actual: seen.hook === "called" ? "an error" : "a session",
  }),
  Session: ({ config, seen, cookieBytes }) => ({
    expected:
      seen.isStored === true
        ? "in the store"
        : `at most ${config.session.maxCookieBytes} bytes of cookies`,
    actual: seen.signIn === undefined ? null : `made, ${cookieBytes} bytes of cookies`,
  }),
};

function statusOf(call: Call | undefined): string {
  const { status = null, response } = call ?? {};
  if (status === null) return "no usable response";
  const error = response?.["error"];
  return `status ${status}${typeof error === "string" ? `, ${error.slice(0, 100)}` : ""}`;
}
