import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type Server, startServer } from "../../../test/servers/server.ts";
import { createTestPage } from "../support/browser.support.ts";
import { createSessionClient, type SessionClient } from "./session-client.ts";

/** The real network, the real channel between tabs, the real clock; only the page is a double. */
let server: Server;
let base: string;
let person: { sub: string; name: string } | null;
let names: object;
let renewedAt: number;
let requests: string[];
const closing: (() => void)[] = [];

beforeEach(async () => {
  person = { sub: "ada", name: "Ada" };
  names = {};
  renewedAt = 1_000;
  requests = [];
  server = await startServer();
  base = `${server.origin}/app`;
  server.serve((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    if (path === "/app/api/auth/me") {
      if (person) renewedAt += 60;
      response.writeHead(person ? 200 : 204, { "content-type": "application/json" });
      return response.end(person ? JSON.stringify(person) : undefined);
    }
    if (path !== "/app/_auth/session.json") return response.writeHead(404).end();
    const ends = { rollingEndsAt: renewedAt + 1_800, absoluteEndsAt: null };
    const signedIn = {
      state: "signed-in",
      sub: person?.sub,
      ...names,
      ...ends,
      endsAt: renewedAt + 1_800,
    };
    response.setHeader("content-type", "application/json");
    return response.end(
      JSON.stringify({ now: renewedAt, ...(person ? signedIn : { state: "signed-out" }) }),
    );
  });
});

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await server.close();
});

function open(): SessionClient {
  const client = createSessionClient({ basePath: base, page: createTestPage() });
  closing.push(client.subscribe(() => undefined));
  return client;
}

test("two tabs over the real network and channel agree on who is signed in and until when", async () => {
  const [one, two] = [open(), open()];
  const states = () => [one, two].map((client) => client.getSnapshot());
  await expect
    .poll(states)
    .toEqual([
      expect.objectContaining({ status: "signed-in", user: { sub: "ada", name: "Ada" } }),
      expect.objectContaining({ status: "signed-in", user: { sub: "ada", name: "Ada" } }),
    ]);
  // A tab may know who is signed in from the other one, while its own requests are on their way.
  await Promise.all([one, two].map((client) => client.refetch()));
  requests.length = 0;
  expect(await one.extend()).toBe(true);
  const times = expect.objectContaining({ rollingEndsAt: renewedAt + 1_800 });
  await expect
    .poll(states)
    .toEqual([expect.objectContaining({ times }), expect.objectContaining({ times })]);
  expect(requests).toEqual(["/app/api/auth/me", "/app/_auth/session.json"]);

  person = null;
  expect(await two.refetch()).toBe(true);
  const out = { status: "signed-out", user: null };
  await expect.poll(states).toEqual([out, out]);
});

test("a user stays signed in while the server is down", async () => {
  const client = open();
  await expect.poll(() => client.getSnapshot().status).toBe("signed-in");
  await server.close();
  expect(await client.refetch()).toBe(false);
  expect(client.getSnapshot()).toMatchObject({ status: "signed-in", stale: true });
  expect(client.lastError()).toMatchObject({ name: "RequestError", status: 0 });
});

test.each([
  ["a 404", 404, "application/json"],
  ["a page", 200, "text/html; charset=utf-8"],
])("%s in the place of the session is one warning in the console", async (found, status, type) => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  server.serve((_request, response) => {
    response.writeHead(status, { "content-type": type }).end("<html>");
  });
  const client = open();
  await client.refetch();
  await client.refetch();
  expect(warn.mock.calls).toHaveLength(1);
  expect(warn.mock.calls[0]?.[0]).toMatch(
    new RegExp(`^latchkey: .*/app/.* is ${found}\\. Let the dev server proxy it\\.$`),
  );
});

test("a server of another origin without a readable response is named once, with CORS", async () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  onTestFinished(() => warn.mockRestore());
  vi.stubGlobal("location", new URL("https://app.example.com/"));
  onTestFinished(() => void vi.unstubAllGlobals());
  await server.close();
  const client = open();
  await expect.poll(() => client.lastError()?.status).toBe(0);
  await client.refetch();
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^latchkey: http:.* allow this origin with credentials \(CORS\)\?/)],
  ]);
});

test("the same sub at another provider is another user [MX-049]", async () => {
  const namesOf = (connection: string) => ({
    connection,
    identity: { issuer: `https://${connection}.example`, sub: "ada", connection, id: connection },
  });
  names = namesOf("acme");
  const client = open();
  await expect.poll(() => client.getSnapshot()).toMatchObject({ status: "signed-in", ...names });
  names = namesOf("beta");
  person = { sub: "ada", name: "Another Ada" };
  await client.refetch();
  expect(client.getSnapshot()).toMatchObject({ user: { name: "Another Ada" }, ...names });
});
