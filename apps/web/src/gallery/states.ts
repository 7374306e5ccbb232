import type { EndReason, ProviderSession, Session } from "latchkey";

import { endedPage } from "../pages/home/ended-screen.tsx";
import { homePage, type HomeProps } from "../pages/home/home-screen.tsx";
import { problemPlans } from "../pages/problem/problem-plans.ts";
import type { PageProblem, PageProblemKind } from "../pages/problem/page-problem.ts";
import type { ProblemPageFacts } from "../pages/problem/problem-facts.ts";
import { keptFormPage } from "../pages/kept-form/kept-form-screen.tsx";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import { setupPage } from "../pages/setup/setup-screen.tsx";
import type { SettingRow } from "../pages/setup/setup-view.ts";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { liveStates } from "./live-states.ts";
import { ada, galleryNow } from "./people.ts";

const day = 86_400;
const signInURL = "/api/auth/login?returnTo=%2Faccount";

/**
 * Every screen in every state. The gallery shows this list, and the tests walk it.
 *
 * @param origin where pictures of people may come from
 */
export function galleryStates(origin: string): readonly GalleryState[] {
  return [
    ...homeStates(),
    ...endedStates(),
    ...signedOutStates(),
    keptFormState(),
    ...liveStates(origin),
    ...problemStates(),
    ...setupStates(),
  ];
}

function homeStates(): GalleryState[] {
  const states: Readonly<Record<string, Omit<HomeProps, "signInURL">>> = {
    arrived: { isAsked: false },
    "asked-for-page": { isAsked: true },
    cancelled: { isAsked: false, notice: "cancelled" },
    "store-down": { isAsked: false, notice: "store-down" },
    "provider-down": { isAsked: true, notice: "provider-down" },
  };
  return Object.entries(states).map(([name, props]) => ({
    id: `home-${name}`,
    title: `Home, signed out: ${name}`,
    page: homePage({ ...props, signInURL }),
  }));
}

function endedStates(): GalleryState[] {
  const after: Partial<Record<EndReason, number>> = { idle: day, "max-age": 7 * day };
  const reasons: readonly EndReason[] = ["idle", "max-age", "elsewhere", "unreadable", "refused"];
  return reasons.map((reason) => {
    const afterSeconds = after[reason];
    const length = afterSeconds === undefined ? {} : { afterSeconds };
    return {
      id: `ended-${reason}`,
      title: `Session ended: ${reason}`,
      page: endedPage({ reason, signInURL, ...length }),
    };
  });
}

function signedOutStates(): GalleryState[] {
  const ends: readonly ProviderSession[] = ["ended", "still", "unconfirmed", "unknown"];
  const known = ends.map((provider) => ({
    id: `signed-out-${provider}`,
    title: `Signed out, provider: ${provider}`,
    page: signedOutPage({ provider, signInURL, homeURL: "/" }),
  }));
  const copiesEndBy = galleryNow + 604_800;
  const pending = {
    id: "signed-out-pending",
    title: "Signed out while the store was down",
    page: signedOutPage({ provider: "ended", copiesEndBy, signInURL, homeURL: "/" }),
  };
  return [...known, pending];
}

function keptFormState(): GalleryState {
  const fields = [["amount", "5"]] as const;
  return {
    id: "kept-form",
    title: "A form that has waited for a better sign-in",
    page: keptFormPage({ action: "/", fields, homeURL: "/" }),
  };
}

/** What the problems of the gallery have in common. */
export const exampleProblem: Omit<PageProblem, "kind"> = {
  status: 400,
  reference: "7F3K-92QD",
  time: new Date(galleryNow * 1000).toISOString(),
  code: "ERR_CALLBACK_HANDLER_FAILURE",
  reason: "state_cookie_missing",
  message:
    "Missing state cookie from login request (check login URL, callback URL and cookie config).",
  signInURL,
  switchAccountURL: `${signInURL}&prompt=select_account`,
  homeURL: "/",
};

type Facts = Pick<PageProblem, "status" | "code" | "reason" | "message">;

function factsOf(status: number, code: string, reason: string, message: string): Facts {
  return { status, code, reason, message };
}

/** What the server says of some kinds, so that the sample data of a page belongs together. */
const facts: Partial<Readonly<Record<PageProblemKind, Facts>>> = {
  "address-too-long": factsOf(
    414,
    "ERR_ADDRESS_TOO_LONG",
    "address_too_long",
    "The address of the request is too long.",
  ),
  forbidden: factsOf(403, "ERR_FORBIDDEN", "forbidden", "Forbidden"),
  "headers-too-large": factsOf(
    431,
    "ERR_HEADERS_TOO_LARGE",
    "headers_too_large",
    "The headers of the request are too large.",
  ),
  "not-found": factsOf(404, "ERR_NOT_FOUND", "not_found", "Not found."),
  "provider-unreachable-finish": factsOf(
    500,
    "ERR_CALLBACK_HANDLER_FAILURE",
    "provider_timeout",
    "The provider did not respond in time.",
  ),
  "provider-unreachable-start": factsOf(
    500,
    "ERR_LOGIN_HANDLER_FAILURE",
    "provider_unreachable",
    "The provider cannot be reached.",
  ),
  "server-error": factsOf(500, "ERR_INTERNAL", "internal", "Something went wrong on our side."),
  "session-too-large": factsOf(
    400,
    "ERR_CALLBACK_HANDLER_FAILURE",
    "session_too_large",
    "The session does not fit into cookies.",
  ),
  "setup-wrong": factsOf(
    500,
    "ERR_LOGIN_HANDLER_FAILURE",
    "issuer_mismatch",
    "The provider's metadata names another issuer than configured.",
  ),
  "too-many-cookies": factsOf(
    431,
    "ERR_TOO_MANY_COOKIES",
    "cookies_too_large",
    "The cookies of the request are too large.",
  ),
};

function problemState(
  kind: PageProblemKind,
  change: Partial<PageProblem> = {},
  variant = "",
  pageFacts: ProblemPageFacts = {},
  session: Session | null = null,
): GalleryState {
  const problem: PageProblem = { ...exampleProblem, ...facts[kind], kind, ...change };
  const name = variant === "" ? kind : `${kind}-${variant}`;
  return {
    id: `problem-${name}`,
    title: `Problem: ${name}`,
    page: problemPage(problem, session, pageFacts),
  };
}

function problemStates(): GalleryState[] {
  const organization = { expected: "harbour", actual: "orchard", email: "clara@example.org" };
  const issuerDetail =
    "The issuer is https://id.example.com/, and LATCHKEY_ISSUER_BASE_URL says https://id.example.com.";
  const said = "User is not assigned to this application. <b>Ask</b> your administrator.";
  const unmet = [
    { part: "claim", name: "role", required: ["admin", "owner"] },
    { part: "scope", required: ["read:reports"] },
    { part: "organization", required: ["harbour"] },
    { part: "maxAge", required: ["300"] },
    { part: "acr", required: ["mfa"] },
  ] as const;
  const kinds = Object.keys(problemPlans).filter(
    (kind): kind is PageProblemKind => kind in problemPlans,
  );
  return [
    ...kinds
      .filter((kind) => kind !== "organization")
      .map((kind) => problemState(kind, kind === "provider-refused" ? { providerText: said } : {})),
    problemState("provider-refused", {}, "silent"),
    problemState("organization", { organization }),
    problemState(
      "organization",
      { organization: { expected: "harbour", email: "dmitri@example.net" } },
      "none",
    ),
    problemState(
      "organization",
      { organization: { expected: "harbour", actual: "orchard" } },
      "no-email",
    ),
    problemState("restart-missing", { redirectTo: "/account" }, "redirect"),
    problemState("not-confirmed", { detail: issuerDetail }, "detail"),
    problemState("session-too-large", { largestParts: ["user.groups", "user.roles"] }, "parts"),
    problemState("forbidden", {}, "person", { email: "ada@example.com" }),
    problemState("forbidden", { unmet }, "unmet", { email: "ada@example.com" }),
    problemState("server-error", {}, "form", { formPosted: true }),
    problemState("server-error", storeFault, "store"),
    problemState("not-found", {}, "signed-in", {}, ada),
    problemState("forbidden", {}, "signed-in", { email: "ada@example.com" }, ada),
  ];
}

const storeFault = {
  status: 503,
  code: "ERR_STORE_UNAVAILABLE",
  reason: "store_unavailable",
  message: "The session store does not answer.",
} as const;

const settingRows: readonly SettingRow[] = [
  { variable: "LATCHKEY_BASE_URL", state: "ok", seen: "http://localhost:3000" },
  {
    variable: "LATCHKEY_ISSUER_BASE_URL",
    state: "wrong",
    seen: "id.example.com",
    message: "issuerBaseURL must be a valid uri",
    remedy: "Set it to the issuer that the provider calls itself, with https://.",
  },
  {
    variable: "LATCHKEY_CLIENT_ID",
    state: "missing",
    message: "clientID is required",
    remedy: "Your provider calls it client ID or application ID.",
  },
  { variable: "LATCHKEY_CLIENT_SECRET", state: "ok" },
  {
    variable: "LATCHKEY_SECRET",
    state: "wrong",
    message: "secret has 6 characters; it needs at least 8",
    remedy: "32 random bytes are best.",
  },
];

function setupStates(): GalleryState[] {
  return [
    {
      id: "setup",
      title: "First run",
      page: setupPage({
        rows: settingRows,
        callbackURL: "http://localhost:3000/api/auth/callback",
        signOutReturnURL: "http://localhost:3000/_auth/signed-out",
        backchannelURL: "http://localhost:3000/api/auth/backchannel-logout",
      }),
    },
  ];
}
