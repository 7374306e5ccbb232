import { Hono } from "hono";
import { expect, test } from "vitest";

import type { PageContext, PageDeps } from "../page-deps.ts";
import { addRecognized, readRecognized } from "./recognized-cookie.ts";

/** What the two functions need of a page. */
const depsWith = (secure: boolean) =>
  ({ config: { session: { cookie: { secure } } } }) as unknown as PageDeps;
const host = "__Host-devices_known";

/** The cookie after one answer, and what was read before. */
async function answer(cookie: string, browser = "7F3K-92QD", name = host) {
  const deps = depsWith(name === host);
  let before: readonly string[] = [];
  const app = new Hono().get("/", (context) => {
    const page = context as unknown as PageContext;
    before = readRecognized(deps, page);
    return context.body(null, 204, { "Set-Cookie": addRecognized(deps, page, browser) });
  });
  const response = await app.request("/", { headers: { cookie: `${name}=${cookie}` } });
  const line = response.headers.get("set-cookie") ?? "";
  return { before, line, value: /^(?:__Host-)?devices_known=([^;]*)/.exec(line)?.[1] };
}

const many = Array.from("ABCDEFGHJKMN", (last) => `AAAA-BBB${last}`);

test("an answer is kept for this host, for thirty days, away from scripts", async () => {
  const { line } = await answer("");
  const rest = "devices_known=7F3K-92QD; Max-Age=2592000; Path=/; HttpOnly";
  expect(line).toBe(`__Host-${rest}; Secure; SameSite=Lax`);
  const overHTTP = await answer("", undefined, "devices_known");
  expect(overHTTP.line).toBe(`${rest}; SameSite=Lax`);
});

test("an answer that a sister host has set for its whole domain does not count", async () => {
  const { before } = await answer("; devices_known=AAAA-BBBB");
  expect(before).toEqual([]);
});

test.each<[string, string, readonly string[], string]>([
  ["the same answer again", "7F3K-92QD", ["7F3K-92QD"], "7F3K-92QD"],
  ["text that is no reference", "%3Cb%3E.x.7f3k-92qd", [], "7F3K-92QD"],
  [
    "more answers than there are events",
    many.join("."),
    many.slice(0, 10),
    ["7F3K-92QD", ...many.slice(0, 9)].join("."),
  ],
])("the cookie stays small and clean: %s", async (_, cookie, read, kept) => {
  const { before, value } = await answer(cookie);
  expect(before).toEqual(read);
  expect(value).toBe(kept);
});

test("an answer about a forged id keeps nothing", async () => {
  expect((await answer("", "<b>")).value).toBe("");
});
