import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { type HostWorld, worldOfDescribe } from "./world/host-world.ts";

describe.each(hosts)("a stream on $name", (host) => {
  const world = worldOfDescribe({ app: host.app });

  test.each([
    ["/private/stream", "one ", "one two three", /^text\/plain/],
    [
      "/private/events",
      "data: one\n\n",
      "data: one\n\ndata: two\n\ndata: three\n\n",
      /^text\/event-stream/,
    ],
  ])(
    "[AD-023] %s has the cookie in its head, and its chunks arrive as they are written",
    async (path, first, whole, type) => {
      const cookie = await (await world().signedIn()).cookies();
      const response = await fetch(world().baseURL + path, { headers: { cookie } });
      expect(response.headers.get("content-type")).toMatch(type);
      expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession=/)]);
      expect(response.headers.get("cache-control")).toBe("private, no-store");
      const chunks = await chunksOf(response);
      expect([chunks[0]?.startsWith(first), chunks.join("")]).toEqual([true, whole]);
      expect(chunks.length).toBeGreaterThan(1);
    },
  );

  test("[AD-024] an update after the head has left fails, says so, and leaves the session as it was", async () => {
    const browser = await world().signedIn();
    const { text } = await browser.request("/late");
    expect(text).toMatch(/^begun, refused: .*head/i);
    const told = world().events.filter(({ event }) => event === "warning");
    expect(told.at(-1)).toMatchObject({ message: expect.stringContaining("head") as string });
    const me = await browser.request("/api/me");
    expect([me.status, JSON.parse(me.text)]).toEqual([
      200,
      expect.not.objectContaining({ theme: "late" }),
    ]);
  });

  test("[AD-029] a client that leaves in the middle of a response disturbs neither process nor others", async () => {
    const complaints = watchProcess();
    const cookie = await (await world().signedIn()).cookies();
    const paths = ["/private/stream", "/private/events", "/late", "/fetched", "/private"];
    await Promise.all(
      [...paths, ...paths].map((path, index) => leaveEarly(world(), path, cookie, index * 5)),
    );
    await pause(300);
    const { status } = await world().send({ target: "/private", headers: { cookie } });
    expect([status, complaints]).toEqual([200, []]);
  });
});

async function chunksOf({ body }: Response): Promise<readonly string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) chunks.push(decoder.decode(chunk));
  return chunks;
}

/** Asks, and breaks the connection off after some milliseconds. */
async function leaveEarly(world: HostWorld, path: string, cookie: string, ms: number) {
  const { port, host } = new URL(world.baseURL);
  const socket = connect(Number(port), "localhost");
  socket.on("error", () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`);
  await pause(ms);
  socket.resetAndDestroy();
}

/** What the process complains of while a test runs. */
function watchProcess(): readonly unknown[] {
  const complaints: unknown[] = [];
  const note = (complaint: unknown) => void complaints.push(complaint);
  for (const event of ["unhandledRejection", "uncaughtException", "warning"] as const) {
    process.on(event, note);
    onTestFinished(() => void process.off(event, note));
  }
  return complaints;
}
