import { describe, expect, test } from "vitest";

import { builtInPages, defaultLook, sampleProblem } from "../../test/built-in-gallery.ts";
import { contrastOf } from "../config/accent.ts";
import type { Problem } from "../errors/problem.ts";
import { createBuiltInPages } from "./built-in-pages.ts";

const { problem: problemPage, signedOut: signedOutPage } = createBuiltInPages(defaultLook);

const problem: Problem = {
  ...sampleProblem,
  signInURL: "https://app.example/api/auth/login?returnTo=%2Fx&prompt=login",
  switchAccountURL: "https://app.example/api/auth/login?prompt=select_account",
  homeURL: "https://app.example/",
  formURL: "https://app.example/api/auth/logout",
};

test.each([...builtInPages()])(
  "the built-in page shows %s with one title and a way to continue",
  (_, page) => {
    expect(page.match(/<h1>[^<]+<\/h1>/g)).toHaveLength(1);
    expect(page).toMatch(/<div><a href="[^"]*">|<form method="post" action="[^"]+">/);
  },
);

describe("the built-in problem page", () => {
  const technical = "The token response cannot be used.";

  test("says what happened, how to continue, and the reference", () => {
    const page = problemPage(problem);
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).toContain(`<code>${technical}</code>`);
    expect(page).not.toMatch(/handler|CAUSE/);
    expect(page).toContain(
      'href="https://app.example/api/auth/login?returnTo=%2Fx&amp;prompt=login"',
    );
    expect(page).toContain("<code>7F3K-92QD</code>");
    expect(page).toContain(`Error name <code>${problem.reason}</code>`);
    expect(page).not.toContain("To ask for access");
  });

  test.each(["forbidden", "organization", "provider-refused", "sign-in-refused"] as const)(
    "says how to get access after %s",
    (kind) => {
      expect(problemPage({ ...problem, kind })).toContain("To ask for access, send these details");
    },
  );

  test.each([
    ["callback-failed", "We couldn't sign you in", ["Try again", "Home page"]],
    ["cancelled", "You came back without signing in", ["Sign in", "Home page"]],
    ["forbidden", "You can't open this page", ["Home page", "Use another account"]],
    ["not-found", "Page not found", ["Home page"]],
    ["organization", "We couldn't sign you in", ["Use another account", "Home page"]],
    ["provider-busy", "The sign-in provider is busy", ["Try again", "Home page"]],
    [
      "provider-unreachable-start",
      "We can't reach the sign-in provider",
      ["Try again", "Home page"],
    ],
    ["server-error", "Something went wrong on our side", ["Try again", "Home page"]],
    ["session-too-large", "Your account is too large for this app", ["Home page"]],
    ["setup-wrong", "This app isn't set up correctly", ["Home page"]],
    ["sign-in-refused", "We couldn't sign you in", ["Use another account", "Home page"]],
  ] as const)("has a title for %s, and offers what helps", (kind, title, texts) => {
    const page = problemPage({ ...problem, kind });
    expect(page).toContain(`<title>${title}</title>`);
    expect(page.match(/(?<=">)[^<]+(?=<\/a>)/g)).toEqual(texts);
  });

  test("explains the problem in plain words, with the technical text below the next step", () => {
    const page = problemPage({ ...problem, kind: "restart-missing" });
    const places = ["Your sign-in took too long", "</a></div>", technical].map((text) =>
      page.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test("links to the address of a failed page, or to the start of a failed sign-in", () => {
    const failed = { ...problem, kind: "server-error", status: 503 } as const;
    expect(problemPage({ ...failed, code: "ERR_STORE_UNAVAILABLE" })).toContain(
      '<a href="">Try again</a>',
    );
    expect(problemPage(failed)).toContain('login?returnTo=%2Fx&amp;prompt=login">Try again</a>');
  });

  test("shows the provider's message, if there is one", () => {
    const silent = { ...problem, kind: "provider-refused" } as const;
    expect(problemPage({ ...silent, providerText: "Ask <b>Ada</b>." })).toContain(
      "It said: “Ask &lt;b&gt;Ada&lt;/b&gt;.”",
    );
    expect(problemPage(silent)).toContain("It gave no reason.");
  });

  test("names the account, and the users of the app", () => {
    const organization = { expected: "harbour", actual: "orchard", email: "clara@example.org" };
    const page = problemPage({ ...problem, kind: "organization", organization });
    expect(page).toContain("You signed in as clara@example.org.");
    expect(page).toContain("This app is only open to harbour.");
  });

  test("lists each unmet part of a rule for the reader", () => {
    const unmet = [
      { part: "claim", name: "role", required: ["admin", "owner"] },
      { part: "rule", required: [] },
    ] as const;
    const page = problemPage({ ...problem, kind: "forbidden", unmet });
    expect(page).toContain("<p>It is for users who have role: admin or owner.</p>");
    expect(page).toContain("<p>It needs a permission that you don&#39;t have.</p>");
  });

  test("requests confirmation of a sign-out, by a form with POST", () => {
    const page = problemPage({ ...problem, kind: "confirm-sign-out", status: 200 });
    expect(page).toContain('<form method="post" action="https://app.example/api/auth/logout">');
    expect(page).toContain("<title>Sign out?</title>");
  });

  test("shows markup as text, whatever its source", () => {
    const evil = `"><script>alert('1')</script>&amp;`;
    const page = problemPage({ ...problem, message: evil, signInURL: evil, reference: evil });
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("'1'");
    expect(page.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(3);
  });

  test("keeps the technical text closed", () => {
    const { details } = /^(?<before>.*)<details>(?<details>.*)<\/details>/s.exec(
      problemPage(problem),
    )?.groups ?? { details: "" };
    expect(details).toContain(technical);
    expect(problemPage(problem).split(technical)).toHaveLength(2);
  });

  test("has the name and the color of the app", () => {
    const look = { appName: "Harbour & Co", color: { accent: "#aa0000 #ffaaaa" } };
    const page = createBuiltInPages(look).problem(problem);
    expect(page).toContain("· Harbour &amp; Co</title>");
    expect(page).toContain("--accent:light-dark(#aa0000,#ffaaaa)");
    const one = createBuiltInPages({ ...look, color: { accent: "#aa0000" } }).problem(problem);
    const [, light = "", dark = ""] = /--accent:light-dark\((#\w{6}),(#\w{6})\)/.exec(one) ?? [];
    expect(light).toBe("#aa0000");
    expect(contrastOf(dark, "#1d2024").ratio).toBeGreaterThanOrEqual(4.5);
    expect(one).toContain("--fill:light-dark(#aa0000,#aa0000)");
  });

  test("shows the detail of the log if the problem includes it", () => {
    const detail = "configured https://id.example, the provider calls itself <x>";
    expect(problemPage({ ...problem, detail })).toContain("the provider calls itself &lt;x&gt;");
    expect(problemPage(problem)).not.toContain("For developers");
  });

  test("names an empty icon, so browsers request no /favicon.ico", () => {
    expect(problemPage(problem)).toContain('<link rel="icon" href="data:,">');
  });

  test("needs no script and no external resource", () => {
    const html = problemPage(problem).replace('<link rel="icon" href="data:,">', "");
    expect(html).not.toMatch(/<script|<img|<link|src=| style=|@import|url\(/);
  });
});

describe("the built-in signed-out page", () => {
  const addresses = {
    signInURL: "https://app.example/login?a=1&b=2",
    homeURL: "https://app.example/",
  };

  test.each([
    ["ended", "You are signed out of your sign-in provider too."],
    ["still", "You may still be signed in at your sign-in provider."],
    ["unconfirmed", "has not confirmed"],
  ] as const)("says what is known of a provider session that is %s", (provider, sentence) => {
    expect(signedOutPage({ provider, ...addresses })).toContain(sentence);
  });

  test("shows the expiry of copies of the session in plain words", () => {
    const copiesEndBy = Date.UTC(2026, 10, 29, 12, 20) / 1000;
    const page = signedOutPage({
      provider: "unknown",
      copies: "pending",
      copiesEndBy,
      ...addresses,
    });
    expect(page).toContain(
      "<p>We couldn&#39;t end this sign-in everywhere just now. It ends by itself by 29 November 2026 at 12:20 UTC.</p>",
    );
  });

  test("makes no claim about a provider session in an unknown state", () => {
    const page = signedOutPage({ provider: "unknown", ...addresses });
    expect(page).not.toContain("provider");
    expect(page).toContain('<a href="https://app.example/login?a=1&amp;b=2">Sign in again</a>');
  });
});
