import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";

import type { Browser } from "../../../packages/latchkey/test/browser/browser.ts";
import { type DrivenHost, sharedWorld, type World } from "./world.ts";

/** Responses whose head has left before their end is known. */
export function streamRows(host: DrivenHost): void {
  describe(`a stream on ${host.title}`, () => {
    const world = sharedWorld(host);
    let browser: Browser;
    let cookie = "";
    beforeAll(async () => {
      browser = await world().signedIn();
      cookie = await browser.cookies();
    });

    test("has the cookie in its head, and its chunks arrive as they are written [AD-023]", async () => {
      const response = await fetch(`${world().baseURL}/private/stream`, { headers: { cookie } });
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession\.t=/)]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      const chunks = await chunksOf(response);
      expect([chunks[0]?.startsWith("one "), chunks.join("")]).toEqual([true, "one two three"]);
      expect(chunks.length).toBeGreaterThan(1);
    });

    test("gets an error for an update of the session after its head has left, and the session stays as it was [AD-024]", async () => {
      const { text } = await browser.request("/late");
      expect(text).toMatch(/^begun, refused: .*head/i);
      await expect
        .poll(() => world().log())
        .toMatch(/"warn(?:ing)?".*The head of the response has left/);
      const me = await browser.request("/api/me");
      expect([me.status, me.text]).toEqual([200, expect.not.stringContaining('"theme"')]);
    });

    test("disturbs neither process nor others if its client leaves in the middle [AD-029]", async () => {
      const paths = ["/private/stream", "/late", "/fetched", "/private"];
      const leaving = [...paths, ...paths].map((path, index) =>
        leaveEarly(world(), path, cookie, index * 7),
      );
      await Promise.all(leaving);
      await pause(300);
      const { status } = await world().send({ target: "/private", headers: { cookie } });
      expect([status, world().complaints()]).toEqual([200, []]);
    });
  });
}

export async function chunksOf({ body }: Response): Promise<readonly string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) chunks.push(decoder.decode(chunk));
  return chunks;
}

/** Sends a request, and breaks the connection off after some milliseconds. */
async function leaveEarly(world: World, path: string, cookie: string, ms: number) {
  const { port, host: authority } = new URL(world.baseURL);
  const socket = connect(Number(port), "localhost");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nCookie: ${cookie}\r\n\r\n`);
  await pause(ms);
  socket.resetAndDestroy();
}
