import { reasonsOf } from "../../errors/token-reasons.ts";
import { organizationClaim } from "../../oidc/tokens/organization.ts";
import type { CallbackFacts, CheckLine } from "./facts.ts";
import { statusOf } from "./response-checks.ts";

/** The checks of the user, and of the session that is made. */
export const sessionChecks: readonly CheckLine[] = [
  {
    name: "Same user in both ID tokens",
    reasons: ["token_subject_changed"],
    applies: ({ hasFrontChannelToken, tokenCall }) =>
      hasFrontChannelToken && tokenCall !== undefined,
    expected: () => "yes",
    actual: ({ seen }) =>
      seen.refusal?.reason === "token_subject_changed" ? "another iss or sub" : "yes",
  },
  {
    name: "Organization",
    reasons: ["organization_mismatch"],
    applies: (facts) => organizationOf(facts) !== undefined,
    expected: (facts) => {
      const { name, value } = organizationClaim(organizationOf(facts) ?? "");
      return `${name} ${value}`;
    },
    actual: (facts) => facts.idToken?.payload[organizationClaim(organizationOf(facts) ?? "").name],
  },
  {
    name: "Required of this sign-in",
    reasons: ["step_up_unmet"],
    applies: ({ transaction }) => transaction?.stepUp !== undefined,
    expected: ({ transaction: { stepUp } = {} }) =>
      JSON.stringify({ maxAge: stepUp?.maxAge, acr: stepUp?.acr }),
    actual: ({ idToken }) => ({
      auth_time: idToken?.payload["auth_time"],
      acr: idToken?.payload["acr"],
    }),
  },
  {
    name: "Userinfo",
    reasons: ["userinfo_invalid", "userinfo_subject", ...reasonsOf("userinfo_token")],
    kind: "userinfo_token",
    applies: ({ userinfoCall }) => userinfoCall !== undefined,
    expected: ({ idToken }) => `status 200, sub ${JSON.stringify(idToken?.payload["sub"])}`,
    actual: ({ userinfoCall: call }) =>
      `${statusOf(call?.status ?? null)}, sub ${JSON.stringify(call?.response?.["sub"]) ?? "missing"}`,
  },
  {
    name: "Hooks of the app",
    reasons: ["sign_in_refused"],
    applies: ({ hasHook }) => hasHook,
    expected: () => "a session",
    actual: ({ seen }) => (seen.hook === "called" ? "an error" : "a session"),
  },
  {
    name: "Session",
    reasons: ["session_too_large", "store_unavailable", "internal"],
    expected: ({ config, seen }) =>
      seen.isStored === true
        ? "in the store"
        : `at most ${config.session.maxCookieBytes} bytes of cookies`,
    actual: ({ seen, cookieBytes }) =>
      seen.signIn === undefined ? "none" : `made, ${cookieBytes} bytes of cookies`,
  },
];

function organizationOf({ config, transaction }: CallbackFacts): string | undefined {
  return config.organization ?? transaction?.organization;
}
