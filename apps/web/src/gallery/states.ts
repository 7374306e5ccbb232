import type { Problem, ProblemKind } from "latchkey";

import type { SignedInPerson } from "../components/signed-in-shell.tsx";
import type { AccessState, AccountView } from "../screens/account/account-view.ts";
import type { EndReason } from "../screens/home/ended-screen.tsx";
import type { HomeReason } from "../screens/home/home-screen.tsx";
import { problemPlans } from "../screens/problem/problem-plans.ts";
import type { ProblemPageFacts } from "../screens/problem/problem-screen.tsx";
import type { SettingRow } from "../screens/setup/setup-view.ts";
import type { ProviderEnd } from "../screens/signed-out/signed-out-screen.tsx";
import type { View } from "../screens/view.tsx";

/** One screen in one state. */
export interface GalleryState {
  /** Part of the address, e.g. `problem-loop`. */
  readonly id: string;
  readonly title: string;
  readonly view: View;
}

/** The clock of the gallery: Monday 18 May 2026, 14:02 UTC, in epoch seconds. */
export const galleryNow = Date.UTC(2026, 4, 18, 14, 2) / 1000;

const day = 86_400;
const signInURL = "/api/auth/login?returnTo=%2Faccount";

/** Every screen in every state. The gallery shows this list, and the tests walk it. */
export function galleryStates(): readonly GalleryState[] {
  return [
    ...homeStates(),
    ...endedStates(),
    ...signedOutStates(),
    ...welcomeStates(),
    ...accountStates(),
    ...otherPageStates(),
    ...problemStates(),
    ...setupStates(),
  ];
}

function homeStates(): GalleryState[] {
  const reasons: readonly HomeReason[] = [
    "arrived",
    "asked-for-page",
    "cancelled",
    "provider-down",
  ];
  return reasons.map((reason) => ({
    id: `home-${reason}`,
    title: `Home, signed out: ${reason}`,
    view: { screen: "home", props: { reason, signInURL } },
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
      view: { screen: "ended", props: { reason, signInURL, ...length } },
    };
  });
}

function signedOutStates(): GalleryState[] {
  const ends: readonly ProviderEnd[] = ["ended", "still", "unconfirmed", "unknown"];
  return ends.map((provider) => ({
    id: `signed-out-${provider}`,
    title: `Signed out, provider: ${provider}`,
    view: {
      screen: "signed-out",
      props: { provider, signInURL },
    },
  }));
}

const ada: SignedInPerson = {
  sub: "person-ada",
  name: "Ada Okafor",
  email: "ada@example.com",
  times: {
    startedAt: galleryNow - 3 * day,
    rollingEndsAt: galleryNow + day - 1140,
    absoluteEndsAt: galleryNow + 4 * day,
    endsAt: galleryNow + day - 1140,
  },
};

const layla: SignedInPerson = { ...ada, sub: "person-layla", name: "ليلى حداد" };

const longNamed: SignedInPerson = {
  ...ada,
  sub: "auth0|7c0e1d9a5b2f4e6f8a1b3c5d7e9f0a2b4c6d8e0f",
  name: "Maximiliane Alexandra Wilhelmine von Hohenfels-Castellane zu Rothenstein",
  email: "maximiliane.alexandra.wilhelmine.von.hohenfels@long-department-name.example.com",
};

function welcomeStates(): GalleryState[] {
  return [
    { id: "welcome", title: "Home, signed in", view: { screen: "welcome", person: ada } },
    {
      id: "welcome-long",
      title: "Home, signed in: long name",
      view: { screen: "welcome", person: longNamed },
    },
  ];
}

const account: AccountView = {
  person: ada,
  emailConfirmed: true,
  organization: { name: "harbour", id: "org_harbour", limited: false },
  times: ada.times,
  renewedAt: galleryNow - 1140,
  access: {
    state: "renews",
    at: galleryNow + 1740,
    scopes: ["openid", "profile", "email", "offline_access", "reports:read"],
  },
  claims: [
    { name: "sub", value: { kind: "text", text: "person-ada" } },
    { name: "name", value: { kind: "text", text: "Ada Okafor" } },
    { name: "email", value: { kind: "text", text: "ada@example.com" } },
    { name: "email_verified", value: { kind: "yes-no", yes: true } },
    { name: "updated_at", value: { kind: "moment", at: galleryNow - 90 * day } },
    { name: "groups", value: { kind: "list", items: ["readers", "writers", "night-shift"] } },
  ],
};

function accountState(id: string, title: string, view: AccountView): GalleryState {
  return { id: `account-${id}`, title: `Account: ${title}`, view: { screen: "account", view } };
}

function accountStates(): GalleryState[] {
  const { rollingEndsAt: _rolling, ...bare } = account.times;
  const merged = { ...bare, rollingEndsAt: null, endsAt: galleryNow + 4 * day };
  const noEnd = { ...account.times, absoluteEndsAt: null };
  const soon = { ...account.times, rollingEndsAt: galleryNow + 170, endsAt: galleryNow + 170 };
  const { organization: _none, emailConfirmed: _unsaid, access: _nothing, ...lone } = account;
  const accesses: readonly AccessState[] = ["until", "connected", "will-renew", "ended"];
  return [
    accountState("usual", "as usual", account),
    accountState("limited", "limited to an organisation", {
      ...account,
      organization: { name: "harbour", id: "org_harbour", limited: true },
    }),
    accountState("unconfirmed", "email not confirmed", { ...account, emailConfirmed: false }),
    accountState("alone", "no organisation, no access", lone),
    accountState("long", "long name", { ...account, person: longNamed }),
    accountState("rtl-name", "name from right to left", { ...account, person: layla }),
    accountState("merged", "one end only", { ...account, times: merged }),
    accountState("no-end", "no end in any case", { ...account, times: noEnd }),
    accountState("soon", "ending soon", { ...account, times: soon }),
    ...accesses.map((state) =>
      accountState(`access-${state}`, `access ${state}`, {
        ...account,
        access: { state, at: galleryNow + 1800, scopes: [] },
      }),
    ),
  ];
}

function otherPageStates(): GalleryState[] {
  const query = [
    ["report", "march"],
    ["sort", "name, then date"],
  ] as const;
  return [
    {
      id: "sample",
      title: "Sample page",
      view: { screen: "sample", sample: { person: ada, address: "/sample", query: [] } },
    },
    {
      id: "sample-query",
      title: "Sample page: with a query",
      view: {
        screen: "sample",
        sample: {
          person: ada,
          address: "/sample?report=march&sort=name%2C%20then%20date",
          query,
        },
      },
    },
    {
      id: "devices",
      title: "Signed-in devices: no list",
      view: { screen: "devices", person: ada },
    },
  ];
}

function problemState(
  kind: ProblemKind,
  change: Partial<Problem> = {},
  variant = "",
  facts: ProblemPageFacts = {},
): GalleryState {
  const problem: Problem = {
    kind,
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
    ...change,
  };
  const name = variant === "" ? kind : `${kind}-${variant}`;
  return {
    id: `problem-${name}`,
    title: `Problem: ${name}`,
    view: { screen: "problem", problem, facts },
  };
}

function problemStates(): GalleryState[] {
  const organization = { expected: "harbour", actual: "orchard", email: "clara@example.org" };
  const said = "User is not assigned to this application. <b>Ask</b> your administrator.";
  const kinds = Object.keys(problemPlans).filter(
    (kind): kind is ProblemKind => kind in problemPlans,
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
    problemState("organization", {}, "hidden"),
    problemState("restart-missing", { onward: "/account" }, "onward"),
    problemState("forbidden", {}, "person", { email: "ada@example.com" }),
    problemState("server-error", {}, "form", { formPosted: true }),
  ];
}

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
      view: {
        screen: "setup",
        view: {
          rows: settingRows,
          callbackURL: "http://localhost:3000/api/auth/callback",
          signOutReturnURL: "http://localhost:3000/_auth/signed-out",
          backchannelURL: "http://localhost:3000/api/auth/backchannel-logout",
        },
      },
    },
  ];
}
