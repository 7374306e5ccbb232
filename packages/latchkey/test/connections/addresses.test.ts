import { connect } from "node:net";
import { describe, expect, test } from "vitest";

import { createAuth, type LogEvent } from "../../src/index.ts";
import { longTests } from "../long-tests.ts";
import { words } from "../words.ts";
import { createQuickApp } from "../worlds/quick-app.ts";
import { hosts, type HostName, startTwoProviders } from "./two-providers.ts";

const hostNames = Object.keys(hosts) as HostName[];

const globex = { issuerBaseURL: "https://globex.example", clientID: "g", clientSecret: "secret-g" };
const several = { identity: "issuer+sub", connections: { globex } } as const;
const routes = ["login", "callback", "backchannel-logout", "frontchannel-logout"];

/** Sends a request line as it is, which no client of HTTP would, and returns the status. */
function statusOf(origin: string, target: string): Promise<number> {
  const { port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "localhost", () =>
      socket.end(`GET ${target} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    );
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => (text += part));
    socket.on("end", () => resolve(Number(text.split(" ")[1])));
    socket.on("error", reject);
  });
}

describe.each(hostNames)("on %s", (host) => {
  test("an address with another spelling of an id is unknown [MX-034]", async () => {
    const world = await startTwoProviders({ host });
    const spellings = [
      ...words`Globex GLOBEX globe globex2 globe%78 %67lobex globex%00 globex%2f globex/x globex//
        globex%2e globex;a=b /globex __proto__ constructor toString -globex 9globex globéx`,
      "globex\\",
      "a".repeat(64),
      `globex${"x".repeat(10_000)}`,
      // A URL of the Fetch API has no dot segments any more.
      ...(host === "fetch" ? [] : words`globex/. x/../globex ./globex`),
    ];
    const statuses: [target: string, status: number][] = [];
    for (const route of routes) {
      for (const spelling of spellings) {
        const target = encodeURI(`/api/auth/${route}/${spelling}`).replaceAll("%25", "%");
        // oxlint-disable-next-line no-await-in-loop -- the next one comes after it
        statuses.push([target, await statusOf(world.baseURL, target)]);
      }
    }
    // A server may refuse a target before the app sees it.
    expect(statuses.filter(([, status]) => ![400, 404, 414].includes(status))).toEqual([]);
    expect([world.first.requests, world.second.requests]).toEqual([[], []]);
  });
});

const randomIDs = longTests ? 10_000 : 1000;

test(`${randomIDs} random ids leave nothing behind: each one is the same refusal [MX-034]`, async () => {
  const app = createQuickApp(several);
  for (let count = 0; count < randomIDs; count += 1) {
    const route = routes[count % routes.length];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await app.ask(`/api/auth/${route}/id-${count}`)).status).toBe(404);
  }
  const known = new Set(
    app.events.filter(({ event }) => event !== "warning").map(withoutReference),
  );
  expect([...known]).toHaveLength(1);
  expect([...known].join()).not.toContain("id-");
});

function withoutReference(event: LogEvent): string {
  return JSON.stringify({ ...event, reference: undefined, suppressed: undefined });
}

test("the address with the id of default starts a sign-in there, and no provider knows it [MX-034]", async () => {
  const app = createQuickApp(several);
  const login = await app.ask("/api/auth/login/default");
  expect(new URL(login.headers.get("location") ?? "").origin).toBe(app.provider.issuer);
  for (const route of routes.slice(1)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await app.ask(`/api/auth/${route}/default`)).status).toBe(404);
  }
});

test("a connection that is for another host has no address for login here [MX-022]", async () => {
  const app = createQuickApp({
    ...several,
    connections: { globex: { ...globex, hosts: ["globex.example.com"] } },
  });
  expect((await app.ask("/api/auth/login/globex")).status).toBe(404);
});

describe("auth.login({ connection })", () => {
  const ask = async (connection: unknown) => {
    const app = createQuickApp({ ...several, publicPaths: ["/"] });
    const login = { connection, returnTo: "/x" } as { readonly connection: string };
    const auth = createAuth(app.options);
    const page = new Request(auth.config.baseURL, { headers: { accept: "text/html" } });
    return auth.respond(page, (passed) => auth.of(passed).login(login));
  };

  test.each(["globex", "default", "unknown"])("leads to login at %s", async (connection) => {
    const { status, headers } = await ask(connection);
    expect([status, headers.get("location")]).toEqual([
      302,
      expect.stringMatching(new RegExp(`/api/auth/login/${connection}\\?returnTo=%2Fx$`)),
    ]);
  });

  test.each(["../x", "Globex", "", "a".repeat(64), ["globex"], {}, null, 7])(
    "refuses %j, which is no id, with 400",
    async (connection) => {
      expect((await ask(connection)).status).toBe(400);
    },
  );
});
