/** Every built-in page in every state, as a host shows it without a page of the app. */

import type { Problem } from "../src/errors/problem.ts";
import type { ProblemKind } from "../src/errors/problem-kind.ts";
import type { ProviderSession, SignInChoice } from "../src/config/pages.ts";
import { createBuiltInPages } from "../src/routes/built-in-pages.ts";
import { problemWords } from "../src/routes/problem-words.ts";
import { type Server, startServer } from "./servers/server.ts";

export const defaultLook = { appName: undefined, color: { accent: "#0b6e5f #4cc9ae" } };
const {
  problem: problemPage,
  signedOut: signedOutPage,
  keptForm: keptFormPage,
  signIn: choicePage,
} = createBuiltInPages(defaultLook);

const addresses = { signInURL: "/api/auth/login?returnTo=%2Freports%3Fyear%3D2026", homeURL: "/" };

export const sampleProblem: Problem = {
  ...addresses,
  kind: "callback-failed",
  status: 400,
  reference: "7F3K-92QD",
  time: "2026-11-20T12:00:00.000Z",
  code: "ERR_CALLBACK_HANDLER_FAILURE",
  reason: "token_response_invalid",
  message: "Callback handler failed. CAUSE: The token response cannot be used.",
  switchAccountURL: `${addresses.signInURL}&prompt=select_account`,
  formURL: "/api/auth/logout",
};

/** Additional data of some problems. */
const variants: Readonly<Record<string, Partial<Problem> & Pick<Problem, "kind">>> = {
  "forbidden-rule": {
    kind: "forbidden",
    unmet: [
      { part: "claim", name: "role", required: ["admin", "owner"] },
      { part: "scope", required: ["read:reports"] },
      { part: "organization", required: ["harbour"] },
      { part: "maxAge", required: ["300"] },
      { part: "acr", required: ["mfa"] },
      { part: "rule", required: [] },
    ],
  },
  "not-confirmed-detail": {
    kind: "not-confirmed",
    detail: `The issuer is https://${"very-".repeat(20)}long.example.com/; check LATCHKEY_ISSUER_BASE_URL`,
  },
  "organization-person": {
    kind: "organization",
    organization: { expected: "harbour", actual: "orchard", email: "clara@example.org" },
  },
  "provider-refused-said": {
    kind: "provider-refused",
    providerText: "User is not assigned to this application. <b>Ask</b> your administrator.",
  },
  "sign-in-refused-said": {
    kind: "sign-in-refused",
    appText: "Ask your team for an invitation.",
  },
  "server-error-store": { kind: "server-error", status: 503, code: "ERR_STORE_UNAVAILABLE" },
  "session-too-large-parts": {
    kind: "session-too-large",
    largestParts: ["user.groups", "user.roles"],
  },
};

const plainChoice: SignInChoice = {
  ways: ["Google", "Acme", "Microsoft", "GitHub", "Orchard"].map((label, place) => ({
    id: label.toLowerCase(),
    label,
    isSuggested: place === 0,
    note: place === 0 ? "used" : undefined,
  })),
  isAsked: true,
  isShared: false,
  action: "/_auth/sign-in",
  fields: [["returnTo", "/reports?year=2026"]],
  homeURL: "/",
};

const choices: Readonly<Record<string, Partial<SignInChoice>>> = {
  many: {},
  email: { email: { isFirst: false, value: "" }, isShared: true },
  "email-unknown": { email: { isFirst: true, value: "ada@orchad.example", fault: "unknown" } },
  refused: { notice: { kind: "refused", label: "Google" } },
  elsewhere: { ways: plainChoice.ways.slice(0, 1), notice: { kind: "elsewhere", label: "Google" } },
};

/** A server with a list of links at its root, and a page behind each. */
export async function openBuiltInGallery(): Promise<Server> {
  const server = await startServer();
  const pages = builtInPages();
  const links = [...pages.keys()].map((name) => `<li><a href="/${name}">${name}</a>`).join("");
  server.serve((request, response) => {
    const page = pages.get(request.url?.slice(1) ?? "");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(page ?? `<!doctype html><title>Built-in pages</title><ul>${links}</ul>`);
  });
  return server;
}

/** HTML of each state, by its name. */
export function builtInPages(): ReadonlyMap<string, string> {
  const kinds = Object.keys(problemWords) as ProblemKind[];
  const problems = kinds.map((kind) => [kind, { kind }] as const);
  const ends: readonly ProviderSession[] = ["ended", "still", "unconfirmed", "unknown"];
  return new Map([
    ...[...problems, ...Object.entries(variants)].map(
      ([name, change]) =>
        [`problem-${name}`, problemPage({ ...sampleProblem, ...change })] as const,
    ),
    ...ends.map(
      (provider) => [`signed-out-${provider}`, signedOutPage({ ...addresses, provider })] as const,
    ),
    [
      "signed-out-pending",
      signedOutPage({
        ...addresses,
        provider: "ended",
        copies: "pending",
        copiesEndBy: 1_795_350_000,
      }),
    ],
    ...Object.entries(choices).map(
      ([name, choice]) => [`sign-in-${name}`, choicePage({ ...plainChoice, ...choice })] as const,
    ),
    ["kept-form", keptFormPage({ action: "/reports", fields: [["amount", "5"]], homeURL: "/" })],
  ]);
}
