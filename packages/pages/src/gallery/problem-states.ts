import type { Session } from "latchkey";

import { problemPlans } from "../pages/problem/problem-plans.ts";
import type { PageProblem, PageProblemKind } from "../pages/problem/page-problem.ts";
import type { ProblemPageFacts } from "../pages/problem/problem-facts.ts";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { ada, galleryNow } from "./people.ts";

const signInURL = "/api/auth/login?returnTo=%2Faccount";

/** What the problems of the gallery have in common. */
export const exampleProblem: Omit<PageProblem, "kind" | "status" | "code" | "reason" | "message"> =
  {
    reference: "7F3K-92QD",
    time: new Date(galleryNow * 1000).toISOString(),
    signInURL,
    switchAccountURL: `${signInURL}&prompt=select_account`,
    homeURL: "/",
  };

const onCallback = "ERR_CALLBACK_HANDLER_FAILURE";
const onLogin = "ERR_LOGIN_HANDLER_FAILURE";
const missingState =
  "Missing state cookie from login request (check login URL, callback URL and cookie config).";

type Facts = readonly [status: number, code: string, reason: string, message: string];

/** The server's reason for each kind, so that the sample data of a page fits together. */
const facts: Readonly<Record<PageProblemKind, Facts>> = {
  "address-too-long": [
    414,
    "ERR_ADDRESS_TOO_LONG",
    "address_too_long",
    "The address of the request is too long.",
  ],
  "callback-failed": [
    400,
    onCallback,
    "token_response_invalid",
    "The token response cannot be used.",
  ],
  cancelled: [400, onCallback, "sign_in_cancelled", "The person cancelled the sign-in."],
  "clock-skew": [400, onCallback, "token_not_yet_valid", "The ID token is not active yet."],
  "code-used": [
    400,
    onCallback,
    "code_rejected",
    "The authorization code was already used or has expired.",
  ],
  "confirm-sign-out": [
    200,
    "ERR_LOGOUT_HANDLER_FAILURE",
    "cross_site_logout",
    "Another site asked to sign out.",
  ],
  "cookies-blocked": [400, onCallback, "state_cookie_blocked", missingState],
  "email-domain": [
    403,
    onCallback,
    "email_domain_mismatch",
    "The email address is of no domain of the connection, or not confirmed.",
  ],
  forbidden: [403, "ERR_FORBIDDEN", "forbidden", "The user may not do this."],
  "form-not-sent": [
    403,
    "ERR_FORM_NOT_SENT",
    "form_not_sent",
    "The form was not sent: a new sign-in comes first.",
  ],
  "headers-too-large": [
    431,
    "ERR_HEADERS_TOO_LARGE",
    "headers_too_large",
    "The headers of the request are too large.",
  ],
  "link-incomplete": [
    400,
    onCallback,
    "response_incomplete",
    "code or id_token missing from response.",
  ],
  loop: [
    400,
    onLogin,
    "sign_in_loop",
    "Sign-in keeps starting over: the session cookie does not return.",
  ],
  "no-sign-in-in-progress": [400, onCallback, "no_pending_login", missingState],
  "no-way": [
    503,
    onLogin,
    "connection_unavailable",
    "No settings are available for this sign-in now.",
  ],
  "not-confirmed": [400, onCallback, "token_audience", "aud mismatch in the ID token."],
  "not-found": [404, "ERR_NOT_FOUND", "not_found", "Not found."],
  organization: [
    400,
    onCallback,
    "organization_mismatch",
    "The organization is not the expected one.",
  ],
  "provider-busy": [503, onLogin, "provider_busy", "The provider is busy."],
  "provider-refused": [400, onCallback, "provider_denied", "The provider refused the sign-in."],
  "provider-trouble": [
    400,
    onCallback,
    "provider_trouble",
    "The provider reported a problem on its side.",
  ],
  "provider-unreachable-finish": [
    500,
    onCallback,
    "provider_timeout",
    "The provider did not respond in time.",
  ],
  "provider-unreachable-start": [
    500,
    onLogin,
    "provider_unreachable",
    "The provider cannot be reached.",
  ],
  "restart-missing": [400, onCallback, "state_cookie_missing", missingState],
  "restart-unreadable": [
    400,
    onCallback,
    "state_cookie_malformed",
    "Your state cookie is not valid JSON.",
  ],
  "server-error": [500, "ERR_INTERNAL", "internal", "Something went wrong on our side."],
  "session-too-large": [
    400,
    onCallback,
    "session_too_large",
    "The session is too large to be kept.",
  ],
  "setup-wrong": [
    500,
    onLogin,
    "issuer_mismatch",
    "The provider's metadata names another issuer than configured.",
  ],
  "sign-in-refused": [403, onCallback, "sign_in_refused", "The app refused the sign-in."],
  "state-mismatch": [
    400,
    onCallback,
    "state_mismatch",
    "The state parameter matches no pending login.",
  ],
  "too-many-cookies": [
    431,
    "ERR_TOO_MANY_COOKIES",
    "cookies_too_large",
    "The cookies of the request are too large.",
  ],
};

function problemState(
  kind: PageProblemKind,
  change: Partial<PageProblem>,
  variant = "",
  pageFacts: ProblemPageFacts = {},
  session: Session | null = null,
): GalleryState {
  const [status, code, reason, message] = facts[kind];
  const problem = { ...exampleProblem, kind, status, code, reason, message, ...change };
  const name = variant === "" ? kind : `${kind}-${variant}`;
  return {
    id: `problem-${name}`,
    title: `Problem: ${name}`,
    page: problemPage(problem, session, pageFacts),
    hasSeveralWays: problem.otherWaysURL !== undefined || kind === "no-way",
  };
}

/** The page of every kind of problem, in every variant. */
export function problemStates(): GalleryState[] {
  const organization = { expected: "harbour", actual: "orchard", email: "dmitri@example.net" };
  const { expected, actual, email } = organization;
  const issuerDetail =
    "The issuer is https://id.example.com/, and LATCHKEY_ISSUER_BASE_URL says https://id.example.com.";
  const said = "User is not assigned to this application. <b>Ask</b> your administrator.";
  const refusedByApp = "Ask your team for an invitation to <b>Harbour</b>.";
  const unmet = [
    { part: "claim", name: "role", required: ["admin", "owner"] },
    { part: "scope", required: ["read:reports"] },
    { part: "organization", required: ["harbour"] },
    { part: "maxAge", required: ["300"] },
    { part: "acr", required: ["mfa"] },
    { part: "connection", required: ["Globex"] },
  ] as const;
  const kinds = Object.keys(problemPlans).filter(
    (kind): kind is PageProblemKind => kind in problemPlans,
  );
  return [
    ...kinds
      .filter((kind) => kind !== "organization" && kind !== "email-domain")
      .map((kind) => problemState(kind, kind === "provider-refused" ? { providerText: said } : {})),
    problemState("provider-refused", {}, "silent"),
    problemState("sign-in-refused", { appText: refusedByApp }, "said"),
    problemState("organization", { organization }),
    ...emailDomainStates(),
    problemState("provider-refused", ofSeveral, "several"),
    problemState("provider-unreachable-start", ofSeveral, "several"),
    problemState("organization", { organization: { expected, email } }, "none"),
    problemState("organization", { organization: { expected, actual } }, "no-email"),
    problemState("restart-missing", { redirectTo: "/account" }, "redirect"),
    problemState("not-confirmed", { detail: issuerDetail }, "detail"),
    problemState("session-too-large", { largestParts: ["user.groups", "user.roles"] }, "parts"),
    problemState("forbidden", {}, "person", { email: "ada@example.com" }),
    problemState("forbidden", { unmet }, "unmet", { email: "ada@example.com" }),
    problemState("server-error", {}, "form", { formPosted: true }),
    problemState("server-error", storeFault, "store"),
    problemState("server-error", { ...storeFault, code: onCallback }, "callback"),
    problemState("server-error", proofFault, "device"),
    problemState("server-error", lookUpFault, "connection"),
    problemState("not-found", {}, "signed-in", {}, ada),
    problemState("forbidden", {}, "signed-in", { email: "ada@example.com" }, ada),
  ];
}

function emailDomainStates(): GalleryState[] {
  const state = (
    organization: NonNullable<PageProblem["organization"]>,
    variant = "",
    former: Session | null = null,
  ) =>
    problemState(
      "email-domain",
      { ...ofSeveral, organization },
      variant,
      { email: former?.user.email },
      former,
    );
  const other = { expected: "acme.example, acme.test", email: "clara@example.org" };
  return [
    state(other),
    state({ ...other, expected: "" }, "some"),
    state({ expected: "", email: "clara@acme.example", isUnconfirmed: true }, "unconfirmed"),
    state(other, "former", ada),
  ];
}

const ofSeveral = { provider: "Acme", otherWaysURL: "/_auth/sign-in" };

const storeFault = {
  status: 503,
  code: "ERR_STORE_UNAVAILABLE",
  reason: "store_unavailable",
  message: "The session store does not answer.",
} as const;

const lookUpFault = {
  ...storeFault,
  ...ofSeveral,
  code: "ERR_CONNECTION_UNAVAILABLE",
  reason: "connection_unavailable",
  message: "No settings are available for this sign-in now.",
} as const;

const proofFault = {
  ...storeFault,
  code: "ERR_DEVICE_PROOF_MISSING",
  reason: "device_proof_missing",
  message: "The session is bound to a device, and the request does not prove it.",
} as const;
