import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { createAuth } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Store } from "../../src/stores/store.ts";
import { cookieHeader, jarAfter } from "../browser/cookie-jar.ts";

/** What `npm run soak record <commit>` has written. */
interface Recorded {
  readonly settings: {
    readonly baseURL: string;
    readonly issuerBaseURL: string;
    readonly clientID: string;
    readonly clientSecret: string;
    readonly secret: string;
  };
  /** When, in epoch milliseconds. */
  readonly at: number;
  readonly sessions: readonly {
    readonly stateful: boolean;
    readonly isEnded: boolean;
    readonly cookie: string;
    readonly writes: readonly Write[];
  }[];
}

/** An operation of the store, with what it was given. */
type Write =
  | readonly ["set" | "add" | "join", key: string, text: string, expiresAt: number]
  | readonly ["swap", key: string, expected: string, text: string, expiresAt: number]
  | readonly ["leave", index: string, key: string]
  | readonly ["delete", key: string];

async function play(store: Store, write: Write): Promise<void> {
  switch (write[0]) {
    case "swap": {
      const [, ...words] = write;
      return void (await store.swap(...words));
    }
    case "leave":
      return store.leave(write[1], write[2]);
    case "delete":
      return store.delete(write[1]);
    default: {
      const [operation, ...words] = write;
      return void (await store[operation](...words));
    }
  }
}

const folder = new URL("./", import.meta.url);
const versions = readdirSync(folder).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? []);

describe.each(versions)("a session written by version %s", (version) => {
  const recorded: Recorded = JSON.parse(readFileSync(new URL(`${version}.json`, folder), "utf8"));
  const { settings, at } = recorded;

  async function appWith({ stateful, writes }: Recorded["sessions"][number]) {
    const clock = () => at + 60_000;
    const store: Store = memoryStore(clock);
    for (const write of writes) await play(store, write);
    const auth = createAuth({
      ...settings,
      store,
      session: { stateful },
      clock,
      log: () => undefined,
    });
    return (cookie: string) => {
      const request = new Request(`${settings.baseURL}/private`, { headers: { cookie } });
      return auth.respond(request, async (passed) =>
        Response.json({
          user: auth.of(passed).user,
          accessToken: await auth.of(passed).accessToken(),
        }),
      );
    };
  }

  test.each(recorded.sessions.filter(({ isEnded }) => !isEnded))(
    "is read and renewed, tokens included, in the store or not: $stateful [OP-065]",
    async (session) => {
      const ask = await appWith(session);
      const answer = await ask(session.cookie);
      const known = {
        user: { sub: "ada", name: "Ada", roles: ["reader"] },
        accessToken: "an-access-token",
      };
      expect(await answer.json()).toEqual(known);
      const renewed = cookieHeader(jarAfter(answer.headers.getSetCookie()));
      expect(renewed).toContain("appSession.t=");
      expect(await (await ask(`${session.cookie}; ${renewed}`)).json()).toEqual(known);
    },
  );

  test.each(recorded.sessions.filter(({ isEnded }) => isEnded))(
    "stays ended if it has ended, in the store or not: $stateful [OP-065]",
    async (session) => {
      const ask = await appWith(session);
      const answer = await ask(session.cookie);
      expect(answer.status).toBe(302);
      expect(answer.headers.getSetCookie().join()).toContain("appSession=;");
    },
  );
});

test("this version reads at least one former version", () => {
  expect(versions).not.toEqual([]);
});
