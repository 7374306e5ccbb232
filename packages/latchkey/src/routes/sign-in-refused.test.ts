import { expect, test } from "vitest";

import type { Answer, Browser } from "../../test/browser/browser.ts";
import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import { createQuickApp } from "../../test/worlds/quick-app.ts";
import { startWorld } from "../../test/worlds/world.ts";
import { SignInRefused } from "../index.ts";
import type { SessionData } from "../session/session.ts";

const refusals: Readonly<Record<string, () => SignInRefused>> = {
  "person-ben": () => new SignInRefused("Ask your <b>team</b> for an invitation."),
  "person-clara": () => new SignInRefused("Clara may not.", { detail: "blocked\nsince Monday" }),
  "person-dmitri": () => new SignInRefused(`\u202Eline\r\n${"x".repeat(400)}`),
};

const world = await startWorld({ options: { hooks: { afterCallback }, renderProblem: undefined } });

async function afterCallback(session: SessionData): Promise<SessionData> {
  const refusal = await Promise.resolve(refusals[session.user.sub]);
  if (refusal !== undefined) throw refusal();
  return session;
}

async function refused(person: string, browser = world.browser()): Promise<Answer> {
  return browser.callback("/reports?year=2026", person);
}

/** Sends the response of the provider as a script would. */
async function refusedScript(browser: Browser, headers: Record<string, string>): Promise<Answer> {
  const { address, init } = await browser.untilCallback("/reports", "person-ben");
  return browser.request(address, { ...init, headers });
}

test("a hook refuses a sign-in with the app's sentence, escaped, on a page with status 403", async () => {
  const answer = await refused("person-ben");
  expect(answer.status).toBe(403);
  expect(answer.headers.get("content-type")).toContain("text/html");
  expect(answer.text).toContain("<p>Ask your &lt;b&gt;team&lt;/b&gt; for an invitation.</p>");
  expect(answer.text).toContain("The app refused the sign-in.");
  expect(answer.text).not.toContain("Callback handler failed");
  expect(answer.text).toMatch(/Reference <code>[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}</);
});

test("the page of a refused sign-in leads to another account, and then to the same page", async () => {
  const { text } = await refused("person-ben");
  const [, href = ""] = /<a href="([^"]+)">Use another account/.exec(text) ?? [];
  const { pathname, searchParams } = new URL(href.replaceAll("&amp;", "&"));
  expect(pathname).toBe("/api/auth/login");
  expect(Object.fromEntries(searchParams)).toEqual({
    returnTo: `${world.baseURL}/reports?year=2026`,
    prompt: "select_account",
  });
});

test("a refused sign-in makes no session, and leaves no pending login", async () => {
  const browser = world.browser();
  const answer = await refused("person-ben", browser);
  expect(namesIn(answer.headers.getSetCookie())).toEqual({
    set: [],
    cleared: ["auth_verification"],
  });
  expect((await browser.request("/api/auth/me")).status).toBe(204);
});

test("a refused sign-in keeps the former session of the browser", async () => {
  let mayNot = false;
  const app = createQuickApp({
    hooks: {
      afterCallback(session) {
        if (mayNot) throw new SignInRefused("Not today.");
        return session;
      },
    },
  });
  const jar = await app.signIn();
  mayNot = true;
  const answer = await app.finish(await app.begin("", jar));
  expect(answer.status).toBe(403);
  const after = jarAfter(answer.headers.getSetCookie(), jar);
  expect((await app.ask("/api/auth/me", { jar: after })).status).toBe(200);
});

test("a script gets a refused sign-in as JSON, also if it accepts anything", async () => {
  for (const accept of ["application/json", "*/*"]) {
    // oxlint-disable-next-line no-await-in-loop -- one sign-in after the other
    const answer = await refusedScript(world.browser(), { accept });
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: "ERR_SIGN_IN_REFUSED",
      description: "Ask your <b>team</b> for an invitation.",
      reference: expect.stringMatching(/^.{4}-.{4}$/) as string,
    });
  }
});

test("the log has the reason of a refused sign-in, by default the sentence, on one line", async () => {
  const before = world.events.length;
  const { text } = await refused("person-clara");
  await refused("person-ben");
  const [, reference] = /Reference <code>(.{9})</.exec(text) ?? [];
  expect(world.events.slice(before)).toMatchObject([
    {
      event: "refusal",
      route: "callback",
      reason: "sign_in_refused",
      status: 403,
      reference,
      detail: "blocked since Monday",
    },
    { reason: "sign_in_refused", detail: "Ask your <b>team</b> for an invitation." },
  ]);
});

test("a sentence of more than 300 characters is cut, and marks for text direction are left out", async () => {
  const { text } = await refused("person-dmitri");
  const [, shown = ""] = /<p>( ?line x+)<\/p>/.exec(text) ?? [];
  expect(shown.trim().length).toBeLessThanOrEqual(300);
  expect(shown.trim()).toMatch(/^line x{200,}$/);
});
