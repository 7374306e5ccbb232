import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { host, sharedWorld, type World } from "./world.ts";

describe(`a stream on ${host.title}`, () => {
  const world = sharedWorld();

  test("[AD-023] has the cookie in its head, and its chunks arrive as they are written", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const response = await fetch(`${world().baseURL}/private/stream`, { headers: { cookie } });
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession=/)]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const chunks = await chunksOf(response);
    expect([chunks[0]?.startsWith("one "), chunks.join("")]).toEqual([true, "one two three"]);
    expect(chunks.length).toBeGreaterThan(1);
  });

  test("[AD-024] an update after the head has left fails, says so, and leaves the session as it was", async () => {
    const browser = await world().signedIn();
    const { text } = await browser.request("/late");
    expect(text).toMatch(/^begun, refused: .*head/i);
    expect(world().app.output()).toMatch(/"level":"warn.*The head of the response has left/);
    const me = await browser.request("/api/me");
    expect([me.status, me.text]).toEqual([200, expect.not.stringContaining('"theme"')]);
  });

  test("[AD-029] a client that leaves in the middle of a response disturbs neither process nor others", async () => {
    const cookie = await (await world().signedIn()).cookies();
    const paths = ["/private/stream", "/late", "/fetched", "/private"];
    const leaving = [...paths, ...paths].map((path, index) =>
      leaveEarly(world(), path, cookie, index * 7),
    );
    await Promise.all(leaving);
    await pause(300);
    const { status } = await world().send({ target: "/private", headers: { cookie } });
    expect([status, world().app.isAlive()]).toEqual([200, true]);
    expect(world().app.output()).not.toMatch(/unhandled|uncaught|warning: /i);
  });
});

async function chunksOf({ body }: Response): Promise<readonly string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) chunks.push(decoder.decode(chunk));
  return chunks;
}

/** Asks, and breaks the connection off after some milliseconds. */
async function leaveEarly(world: World, path: string, cookie: string, ms: number) {
  const { port, host: authority } = new URL(world.baseURL);
  const socket = connect(Number(port), "localhost");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${authority}\r\nCookie: ${cookie}\r\n\r\n`);
  await pause(ms);
  socket.resetAndDestroy();
}
