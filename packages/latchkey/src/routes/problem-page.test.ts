import { describe, expect, test } from "vitest";

import type { Problem } from "../errors/problem.ts";
import { plainProblemPage } from "./problem-page.ts";

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

describe("the page that is shown where the app brings none", () => {
  test("tells what happened, how to go on, and the reference", () => {
    const page = plainProblemPage(problem);
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
    expect(plainProblemPage({ ...problem, status })).toContain(`<title>${title}</title>`);
  });

  test("asks before it signs out, by a form that posts", () => {
    const page = plainProblemPage({ ...problem, kind: "confirm-sign-out", status: 200 });
    expect(page).toContain('<form method="post" action="https://app.example/api/auth/logout">');
    expect(page).toContain("<title>Sign out?</title>");
  });

  test("shows markup as text, wherever it comes from [ATK-001]", () => {
    const evil = `"><script>alert('1')</script>&amp;`;
    const page = plainProblemPage({ ...problem, message: evil, signInURL: evil, reference: evil });
    expect(page).not.toContain("<script>");
    expect(page).not.toContain("'1'");
    expect(page.match(/&quot;&gt;&lt;script&gt;/g)).toHaveLength(3);
  });

  test("needs no script and nothing from elsewhere [STD-047]", () => {
    expect(plainProblemPage(problem)).not.toMatch(/<script|<img|<link|src=|@import|url\(/);
  });
});
