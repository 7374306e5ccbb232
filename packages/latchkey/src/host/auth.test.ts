import { describe, expect, test, vi } from "vitest";

import { handleRequest } from "../../test/handle-request.ts";
import { failingStore } from "../../test/failing-store.ts";
import { goodSettings } from "../../test/settings.ts";
import { signedInApp } from "../../test/sessions/signed-in-app.ts";
import { type Auth, createAuth, type Options } from "./auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { ConfigError } from "../errors/config-error.ts";
import { memoryStore } from "../stores/memory.ts";

const own = "https://app.example";

function ask(cookie: string, path = "/"): Request {
  return new Request(own + path, { headers: { cookie, accept: "text/html" } });
}

async function subOf(auth: Auth, cookie: string): Promise<string | undefined> {
  const { made } = await handleRequest(auth, ask(cookie), ({ user }) => user?.sub);
  return made;
}

const warningsIn = (events: readonly LogEvent[]) =>
  events.flatMap((event) => (event.event === "warning" ? [event.message] : []));

describe("wrong settings", () => {
  const wrong = { secret: "short", baseURL: "https://app.example" } as Options;
  const makeWith = (options: Partial<Options>) => {
    const events: LogEvent[] = [];
    const auth = createAuth({ ...wrong, log: (event) => events.push(event), ...options });
    return { auth, events };
  };

  test("do not make createAuth throw, so a build can import it", () => {
    expect(() => createAuth({} as Options)).not.toThrow();
    expect(() => createAuth({ baseURL: "no address" } as Options)).not.toThrow();
  });

  test.each([undefined, null, "secret", 7])(
    "with options of %j are reported by ready(), with the function for variables",
    async (options) => {
      const auth = createAuth(options as unknown as Options);
      await expect(auth.ready()).rejects.toThrow(
        /^1 setting needs attention\.\n {2}options: must be an object.*authFromEnvironment\(\)/,
      );
    },
  );

  test("are all in the one error of config and ready()", async () => {
    const { auth } = makeWith({});
    expect(() => auth.config).toThrow(ConfigError);
    expect(() => auth.config).toThrow(/4 settings need attention/);
    await expect(auth.ready()).rejects.toThrow(ConfigError);
    await expect(auth.ready()).rejects.toThrow(/4 settings need attention/);
  });

  test("cause a 500 without details for every request, and one log entry with the reason", async () => {
    const { auth, events } = makeWith({});
    for (const path of ["/", "/private", "/api/auth/login"]) {
      const { made, response } = await handleRequest(auth, ask("", path), () => "reached");
      expect([made, response.status]).toEqual([undefined, 500]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.text()).toBe("Sign-in is not set up yet. The log says why.");
    }
    expect(warningsIn(events)).toEqual([expect.stringContaining("4 settings need attention")]);
  });

  test.each<[string, Partial<Options>, boolean]>([
    ["on loopback", { baseURL: "http://localhost:3000" }, true],
    ["on loopback in production", { baseURL: "http://localhost:3000", production: true }, false],
    ["on a public host", {}, false],
    ["on a public host that is no production", { production: false }, true],
  ])("are named in the response as the faults %s: %s", async (_, options, isTold) => {
    const { response } = await handleRequest(makeWith(options).auth, ask(""), () => "reached");
    expect((await response.text()).includes("settings need attention")).toBe(isTold);
  });
});

describe("the default log", () => {
  /** Returns the lines on stderr of three requests. */
  async function linesOf(options: Partial<Options>) {
    const stderr = vi.spyOn(console, "error").mockReturnValue();
    const auth = createAuth({ warnings: ["SECERT is set."], ...options } as Options);
    for (const path of ["/", "/", "/private"]) await handleRequest(auth, ask("", path), () => null);
    const lines = stderr.mock.calls.map(([line]) => String(line));
    stderr.mockRestore();
    return lines;
  }

  test.each<[string, Partial<Options>]>([
    ["no setting at all", {}],
    ["a base URL on loopback", { baseURL: "http://localhost:3000" }],
    ["development", { baseURL: own, production: false }],
  ])("is readable with %s, without repetition", async (_, options) => {
    expect(await linesOf(options)).toEqual([
      "latchkey warning: SECERT is set.",
      expect.stringMatching(/^latchkey warning: \d settings need attention/),
    ]);
  });

  test.each<[string, Partial<Options>]>([
    ["a public base URL", { baseURL: own }],
    ["production", { production: true }],
  ])("is JSON with %s", async (_, options) => {
    const lines = await linesOf(options);
    const events = lines.map((line) => JSON.parse(line) as { readonly message: string });
    expect(events.map(({ message }) => message)).toEqual([
      "SECERT is set.",
      expect.stringMatching(/^\d settings need attention/),
    ]);
  });
});

describe("the store", () => {
  test("is opened once if given as a function, at the first request or by ready()", async () => {
    let openings = 0;
    const { cookie, options } = await signedInApp();
    const auth = createAuth({ ...options, store: () => ((openings += 1), memoryStore()) });
    expect(auth.config.clientID).toBe(goodSettings.clientID);
    expect(openings).toBe(0);
    await Promise.all([auth.ready(), subOf(auth, cookie), subOf(auth, cookie)]);
    expect(openings).toBe(1);
  });

  test("is reported if it does not open, and the next request tries again", async () => {
    let isDown = true;
    const { cookie, options } = await signedInApp();
    const open = () => (isDown ? Promise.reject(new Error("no connection")) : memoryStore());
    const auth = createAuth({ ...options, store: open });
    await expect(auth.ready()).rejects.toThrow(ConfigError);
    const { response } = await handleRequest(auth, ask(cookie), () => "reached");
    expect(response.status).toBe(500);
    isDown = false;
    expect(await subOf(auth, cookie)).toBe("ada");
  });

  test.each([new Error("no connection"), "no connection"])(
    "is reported together with wrong settings in one error: %s",
    async (fault) => {
      const store = () => Promise.reject(fault);
      const auth = createAuth({ ...goodSettings, secret: "short", store });
      const unopened = { option: "store", message: "cannot be opened: no connection" };
      await expect(auth.ready()).rejects.toMatchObject({
        faults: [{ option: "secret" }, unopened],
      });
    },
  );

  test("passes on the fault found by a function that opens it", async () => {
    const fault = { option: "store", variable: "V", message: "is odd", remedy: "Change it." };
    const store = () => Promise.reject(new ConfigError([fault]));
    await expect(createAuth({ ...goodSettings, store }).ready()).rejects.toMatchObject({
      faults: [fault],
    });
  });

  test("is closed by close() if sign-in opened it, but not if given open", async () => {
    let closed = 0;
    const store = { ...memoryStore(), close: () => void (closed += 1) };
    const [given, opened] = [
      createAuth({ ...goodSettings, store }),
      createAuth({ ...goodSettings, store: () => store }),
    ];
    await opened.close();
    await Promise.all([given.ready(), opened.ready()]);
    await given.close();
    expect(closed).toBe(0);
    await opened.close();
    expect(closed).toBe(1);
  });
});

describe("createAuth", () => {
  test("makes no call and warns once, for any number of requests", async () => {
    let calls = 0;
    const { auth, cookie, events } = await signedInApp({
      secret: "12345678",
      fetch: () => ((calls += 1), Promise.reject(new Error("nobody"))),
    });
    for (let count = 0; count < 3; count += 1) await subOf(auth, cookie);
    expect(calls).toBe(0);
    expect(new Set(warningsIn(events)).size).toBe(warningsIn(events).length);
    expect(warningsIn(events)).toContainEqual(expect.stringContaining("LATCHKEY_SECRET"));
  });
});

describe("the middleware", () => {
  test.each(["/", "/private", "/apix", "/api/orders", "/_auth/other", "/_auth/session.jsonx"])(
    "leaves %s to the app",
    async (path) => {
      const { auth, cookie } = await signedInApp();
      const { made } = await handleRequest(auth, ask(cookie, path), () => "reached");
      expect(made).toBe("reached");
    },
  );

  test("gives next the request itself, and returns its response", async () => {
    const { auth, cookie } = await signedInApp();
    const request = ask(cookie);
    const given = new Response("page", { status: 201, headers: { "X-Own": "1" } });
    const response = await auth.respond(request, (passed) => {
      expect(passed).toBe(request);
      return given;
    });
    expect(response).toBe(given);
    expect([response.status, response.headers.get("x-own")]).toEqual([201, "1"]);
  });

  test("responds with 500 if a host fails to describe its request, and logs the error", async () => {
    const { auth, events } = await signedInApp();
    const error = new Error("the host's own fault");
    const received = await auth.host.receive({}, () => {
      throw error;
    });
    expect(received).toMatchObject({ response: { status: 500 } });
    expect(events.at(-1)).toMatchObject({ event: "refusal", reason: "internal", error });
  });

  test("throws from auth.of for a request it has not passed", async () => {
    const { auth } = await signedInApp();
    expect(() => auth.of(ask(""))).toThrow(TypeError);
    const refused = ask("", "/private");
    await handleRequest(auth, refused, () => null);
    expect(() => auth.of(refused)).toThrow(/has not passed sign-in/);
  });

  test("keeps session and address of two Auth objects apart on one request", async () => {
    const [baseURL, session] = ["https://other.example", { name: "otherSession" }];
    const other = await signedInApp({ clientID: "other", baseURL, session });
    const one = await signedInApp();
    const request = ask(`${one.cookie}; ${other.cookie}`);
    const response = await one.auth.respond(request, (outer) =>
      other.auth.respond(outer, (inner) => {
        expect(one.auth.of(inner)).not.toBe(other.auth.of(inner));
        return new Response([one.auth, other.auth].map((each) => each.of(inner).user?.sub).join());
      }),
    );
    expect(await response.text()).toBe("ada,ada");
    const names = response.headers.getSetCookie().map((line) => line.split("=", 1)[0]);
    expect(names.toSorted()).toEqual(["appSession.t", "otherSession.t"]);
    const onlyOne = await one.auth.respond(ask(one.cookie), (outer) =>
      other.auth.respond(outer, (inner) =>
        Response.json([one.auth, other.auth].map((each) => each.of(inner).user?.sub ?? null)),
      ),
    );
    expect(await onlyOne.json()).toEqual(["ada", null]);
  });
});

test("the status includes warnings of the start and later ones of the store [OP-016, OP-030]", async () => {
  const told = Promise.withResolvers<readonly string[]>();
  const settings = { baseURL: "http://app.example", warnings: ["A variable is misspelt."] };
  const store = { ...memoryStore(), kind: "redis" as const, warnings: () => told.promise };
  const { auth, events } = await signedInApp({ ...settings, store });
  await auth.ready();
  const early = (await auth.status()).warnings;
  expect(early).toEqual(["A variable is misspelt.", expect.stringContaining("is http")]);
  told.resolve(["Redis may drop sessions."]);
  await expect.poll(async () => (await auth.status()).warnings).toHaveLength(3);
  const { warnings } = await auth.status();
  expect(warnings).toContain("Redis may drop sessions.");
  const logged = events.flatMap((each) => (each.event === "warning" ? each.message : []));
  expect(logged).toEqual(warnings);
  await auth.close();
});

describe("a store that is down", () => {
  test.each([
    ["in the cookie [REL-R02]", false],
    ["in the store [REL-R01]", true],
  ])(
    "causes 503 for each use of the session, ends no session, and recovers afterwards: sessions %s",
    async (_, stateful) => {
      const store = failingStore(memoryStore());
      const { auth, cookie, events } = await signedInApp({ store, session: { stateful } });
      store.fail(true);
      const began = performance.now();
      for (const path of ["/private", "/api/auth/me", "/_auth/session.json"]) {
        const { made, response } = await handleRequest(auth, ask(cookie, path), () => "reached");
        expect([path, made, response.status]).toEqual([path, undefined, 503]);
        expect(response.headers.getSetCookie()).toEqual([]);
        expect(response.headers.get("retry-after")).toBe("5");
      }
      const told = events.filter(({ event }) => event === "store-fault").length;
      const seconds = (performance.now() - began) / 1000;
      expect([told > 0, told <= 1 + seconds]).toEqual([true, true]);
      store.fail(false);
      expect(await subOf(auth, cookie)).toBe("ada");
    },
  );
});
