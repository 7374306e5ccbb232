import { describe, expect, test } from "vitest";

import type { Problem } from "../errors/problem.ts";
import { problemPage, signedOutPage } from "./built-in-pages.ts";

const problem: Problem = {
  kind: "callback-failed",
  status: 400,
  reference: "7F3K-92QD",
  time: "2026-11-20T12:00:00.000Z",
  code: "ERR_CALLBACK_HANDLER_FAILURE",
  reason: "token_response_invalid",
  message: "Callback handler failed. CAUSE: The token response cannot be used.",
  signInURL: "https://app.example/api/auth/login?returnTo=%2Fx&prompt=login",
  switchAccountURL: "https://app.example/api/auth/login?prompt=select_account",
  homeURL: "https://app.example/",
  formURL: "https://app.example/api/auth/logout",
};

describe("the built-in problem page", () => {
  test("tells what happened, how to go on, and the reference", () => {
    const page = problemPage(problem);
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).toContain("Callback handler failed. CAUSE: The token response cannot be used.");
    expect(page).toContain(
      'href="https://app.example/api/auth/login?returnTo=%2Fx&amp;prompt=login"',
    );
    expect(page).toContain("<code>7F3K-92QD</code>");
  });

  test.each([
    [400, "We couldn't sign you in"],
    [404, "Page not found"],
    [500, "Something went wrong"],
    [503, "Something went wrong"],
  ])("has a title for %i", (status, title) => {
    expect(problemPage({ ...problem, status })).toContain(`<title>${title}</title>`);
  });

  test.each([
    ["setup-wrong", 400, ["Sign in", "Home page"]],
    ["not-found", 404, ["Home page"]],
    ["forbidden", 403, ["Home page", "Use another account"]],
    ["organization", 400, ["Use another account", "Home page"]],
    ["confirm-sign-out", 200, ["Stay signed in"]],
  ] as const)("offers what helps with %s", (kind, status, texts) => {
    const links = problemPage({ ...problem, kind, status }).match(/(?<=">)[^<]+(?=<\/a>)/g);
    expect(links).toEqual(texts);
  });

  test.each([
    ["provider-busy", 503, "The sign-in provider is busy"],
    ["provider-unreachable-start", 500, "We can't reach the sign-in provider"],
    ["provider-unreachable-finish", 500, "We can't reach the sign-in provider"],
  ] as const)("tells in words that the provider is down: %s", (kind, status, title) => {
    const page = problemPage({ ...problem, kind, status });
    expect(page).toContain(`<title>${title}</title>`);
    expect(page).toContain("Nothing is lost");
    expect(page).toContain(">Try again</a>");
  });

  test("asks before it signs out, by a form that posts", () => {
    const page = problemPage({ ...problem, kind: "confirm-sign-out", status: 200 });
    expect(page).toContain('<form method="post" action="https://app.example/api/auth/logout">');
    expect(page).toContain("<title>Sign out?</title>");
  });

  test("shows markup as text, wherever it comes from", () => {
    const evil = `"><script>alert('1')</script>&amp;`;
    const page = problemPage({ ...problem, message: evil, signInURL: evil, reference: evil });
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("'1'");
    expect(page.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(3);
  });

  test("shows what the log says where the problem tells it", () => {
    const detail = "configured https://id.example, the provider calls itself <x>";
    expect(problemPage({ ...problem, detail })).toContain("the provider calls itself &lt;x&gt;");
    expect(problemPage(problem)).not.toContain("For developers");
  });

  test("needs no script and nothing from elsewhere", () => {
    expect(problemPage(problem)).not.toMatch(/<script|<img|<link|src=| style=|@import|url\(/);
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

  test("claims nothing about a provider session of which nothing is known", () => {
    const page = signedOutPage({ provider: "unknown", ...addresses });
    expect(page).not.toContain("provider");
    expect(page).toContain('<a href="https://app.example/login?a=1&amp;b=2">Sign in again</a>');
  });
});
