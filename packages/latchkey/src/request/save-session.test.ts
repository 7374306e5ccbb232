import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { began, session, signedInApp } from "../../test/sessions/signed-in-app.ts";
import { signedInExchanges } from "../../test/sessions/signed-in-exchanges.ts";
import { watchedStore } from "../../test/watched-store.ts";
import type { Options } from "../host/auth.ts";
import type { SessionData } from "../session/session.ts";
import { memoryStore } from "../stores/memory.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { updateSession } from "./save-session.ts";

const stateful = { session: { stateful: true } };

const seen = ({ session: found }: RequestAuth) => found;
const adding = (more: object) => (data: SessionData) => ({ ...data, ...more });

const kinds = Object.entries<() => Partial<Options>>({
  "in the cookie": () => ({}),
  "in the store": () => ({ store: memoryStore(() => began * 1000), ...stateful }),
});

describe("update", () => {
  test.each(kinds)(
    "a session %s keeps other data from then on, and its age",
    async (_, options) => {
      const { auth, jar, advance } = await signedInApp(options());
      advance(100);
      const { made, next } = await askWith(auth, jar, async (here) => {
        const updated = await here.update(adding({ theme: "dark" }));
        return { updated, same: here.session === updated };
      });
      expect(made).toMatchObject({
        updated: { theme: "dark", times: { createdAt: began, updatedAt: began + 100 } },
        same: true,
      });
      const later = await askWith(auth, next, seen);
      expect(later.made).toMatchObject({ ...session, theme: "dark", times: { createdAt: began } });
    },
  );

  test("the last of several updates reaches the browser, and each sees the one before", async () => {
    const { auth, jar } = await signedInApp();
    const { next, response } = await askWith(auth, jar, async (here) => {
      await here.update(adding({ count: 1 }));
      await here.update((data) => ({ ...data, count: Number(data["count"]) + 1 }));
    });
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect((await askWith(auth, next, seen)).made).toHaveProperty("count", 2);
  });

  test.each(kinds)(
    "a session %s whose data stay as they are is not written [AD-042]",
    async (_, options) => {
      const { auth, jar } = await signedInApp({ ...options(), session: { renewAfter: 3600 } });
      const same = (data: SessionData) => ({ ...data, user: { ...data.user } });
      const { made, response } = await askWith(auth, jar, (here) => here.update(same));
      expect(made).toMatchObject({ ...session, times: { updatedAt: began } });
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );

  test("an empty update leaves the one before it as it was", async () => {
    const { auth, jar } = await signedInApp({ session: { renewAfter: 3600 } });
    const { next } = await askWith(auth, jar, async (here) => {
      await here.update(adding({ theme: "dark" }));
      await here.update(adding({ theme: "dark" }));
    });
    expect((await askWith(auth, next, seen)).made).toHaveProperty("theme", "dark");
  });

  test("an update overtaken each time is made a hundred times more, and stands then", async () => {
    const { context, ask } = await signedInExchanges();
    const exchange = ask();
    let tries = 0;
    const updated = await updateSession(context, exchange, async (data) => {
      tries += 1;
      await updateSession(context, exchange, adding({ tries }));
      return { ...data, theme: "dark" };
    });
    expect([tries, updated?.data["theme"]]).toEqual([101, "dark"]);
  });

  test("a change made to the very object it was given is kept", async () => {
    const { auth, jar } = await signedInApp();
    const change = (data: SessionData) => Object.assign(data, { theme: "dark" });
    const { next } = await askWith(auth, jar, (here) => here.update(change));
    expect((await askWith(auth, next, seen)).made).toHaveProperty("theme", "dark");
  });

  test("it throws if the data would be no session any more, and the session stays", async () => {
    const { auth, jar } = await signedInApp();
    const withoutUser = () => ({ theme: "dark" }) as unknown as SessionData;
    const { next } = await askWith(auth, jar, (here) =>
      expect(here.update(withoutUser)).rejects.toThrow("A session needs a user with a sub."),
    );
    expect((await askWith(auth, next, seen)).made).toMatchObject(session);
  });

  test("it throws if it gets data in place of a change", async () => {
    const { auth, jar } = await signedInApp();
    const data = { theme: "dark" } as unknown as () => SessionData;
    await askWith(auth, jar, (here) =>
      expect(here.update(data)).rejects.toThrow("update((session) => ({ ...session, theme }))"),
    );
  });

  test("the hook beforeSave has the last word on what is written", async () => {
    const beforeSave = ({ accessToken: _left, ...data }: SessionData) => ({ ...data, saved: 1 });
    const { auth, jar } = await signedInApp({ hooks: { beforeSave } });
    const { next } = await askWith(auth, jar, (here) => here.update(adding({ theme: "dark" })));
    const { made } = await askWith(auth, next, seen);
    expect(made).toMatchObject({ theme: "dark", saved: 1 });
    expect(made).not.toHaveProperty("accessToken");
  });

  test("without a session it returns null and writes nothing", async () => {
    const { auth } = await signedInApp();
    for (const jar of [{}, { appSession: "x" }]) {
      const { made, response } = await askWith(auth, jar, async (here) => [
        await here.update((data) => data),
        await here.touch(),
      ]);
      expect(made).toEqual([null, null]);
      expect(response.headers.getSetCookie().join()).not.toContain("appSession=e");
    }
  });

  test("it revives nothing ended meanwhile, and leaves the cookie to the next request [ATK-009]", async () => {
    const { auth, jar } = await signedInApp({ store: memoryStore(), ...stateful });
    const { made, response } = await askWith(auth, jar, async (here) => {
      await askWith(auth, jar, () => null, "/api/auth/logout");
      return [await here.update(adding({ theme: "dark" })), here.session];
    });
    expect(made).toEqual([null, null]);
    expect(response.headers.getSetCookie()).toEqual([]);
    const after = await askWith(auth, jar, seen);
    expect([after.made, after.next]).toEqual([null, {}]);
  });
});

describe.each(kinds)(
  "changes of a session %s that one handler makes at the same time",
  (_, options) => {
    const count = (data: SessionData) => ({ ...data, visits: Number(data["visits"] ?? 0) + 1 });

    test("all count once", async () => {
      const { auth, jar } = await signedInApp(options());
      const { next } = await askWith(auth, jar, (here) =>
        Promise.all([
          here.update(adding({ theme: "dark" })),
          ...Array.from({ length: 50 }, () => here.update(count)),
        ]),
      );
      expect((await askWith(auth, next, seen)).made).toMatchObject({ theme: "dark", visits: 50 });
    });

    test("bring no session back after another of them ended it", async () => {
      const beforeSave = async (data: SessionData) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return data;
      };
      const hooks = { beforeSave };
      const { auth, jar } = await signedInApp({ store: memoryStore(), ...options(), hooks });
      const { made, response } = await askWith(auth, jar, (here) =>
        Promise.all([here.endDevices("all"), here.update(count)]),
      );
      expect(made?.[1]).toBeNull();
      const cleared = expect.stringMatching(/^appSession=; .*1970/);
      const ofSession = response.headers.getSetCookie().filter((line) => line.startsWith("appS"));
      expect(ofSession).toEqual([cleared]);
    });
  },
);

describe("a session growing too large for cookies", () => {
  const notes = "n".repeat(20_000);

  test("without a store it is refused with its largest claims named, and stays as it was", async () => {
    const { auth, jar } = await signedInApp();
    const { made, next } = await askWith(auth, jar, async (here) => {
      await expect(here.update(adding({ notes }))).rejects.toMatchObject({
        reason: "session_too_large",
        detail: expect.stringMatching(
          /^\d+ bytes of cookies, 12288 allowed without a store \(LATCHKEY_STORE\); largest parts: notes 20002, /,
        ) as string,
      });
      return here.session;
    });
    expect(made).not.toHaveProperty("notes");
    const later = await askWith(auth, next, seen);
    expect(later.made).toMatchObject(session);
    expect(later.made).not.toHaveProperty("notes");
  });

  test("with a store it is kept there, by itself, and other sessions stay in cookies", async () => {
    const store = memoryStore();
    const { auth, jar } = await signedInApp({ store });
    const { next } = await askWith(auth, jar, (here) => here.update(adding({ notes })));
    expect(next["appSession"]).toMatch(/^[\w-]{16}\.[\w-]{43}\.[\w-]{0,16}\.[\w-]{8}$/);
    expect((await askWith(auth, next, seen)).made).toMatchObject({ ...session, notes });
    expect(store.list("session|")).toHaveLength(1);
    expect((await askWith(auth, jar, seen)).next["appSession"]).toMatch(/^ey/);
  });
});

describe("touch", () => {
  test("it renews the session before a renewal is due", async () => {
    const { auth, jar, advance } = await signedInApp({ session: { renewAfter: 3600 } });
    advance(60);
    expect((await askWith(auth, jar, seen)).response.headers.getSetCookie()).toEqual([]);
    const { made, response } = await askWith(auth, jar, (here) => here.touch());
    expect(made?.times.updatedAt).toBe(began + 60);
    expect(response.headers.getSetCookie()).toHaveLength(1);
  });
});

describe("update and the head of the response", () => {
  /** Updates a session while the head of its response leaves before the store does this. */
  async function updateAround(operation: string, more: object, options: Partial<Options> = {}) {
    let leave = () => {};
    const inner = memoryStore(() => began * 1000);
    const store = watchedStore(inner, (each) => each === operation && leave());
    const { context, ask } = await signedInExchanges({ store, ...options });
    const exchange = ask();
    leave = () => void exchange.commit();
    return updateSession(context, exchange, adding(more));
  }

  test.each(kinds)(
    "a change %s that ends after the head has left is refused, and nothing of it is kept",
    async (_, options) => {
      const { context, ask } = await signedInExchanges(options());
      const exchange = ask();
      const change = (data: SessionData) => {
        exchange.commit();
        return { ...data, theme: "dark" };
      };
      const updating = updateSession(context, exchange, change);
      await expect(updating).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
      expect(await ask().read()).toMatchObject({ stored: { data: session } });
    },
  );

  test.each(kinds)("a change %s is not even begun after the head has left", async (_, options) => {
    const { context, ask } = await signedInExchanges(options());
    const exchange = ask();
    exchange.commit();
    let changes = 0;
    const updating = updateSession(context, exchange, (data) => ((changes += 1), data));
    await expect(updating).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
    expect(changes).toBe(0);
  });

  test("a session moved into the store meanwhile is refused to a browser whose head has left", async () => {
    const updating = updateAround("set", { notes: "n".repeat(20_000) });
    await expect(updating).rejects.toMatchObject({ code: "ERR_HEADERS_SENT" });
  });

  test("a session in the store is changed, although the head leaves while written", async () => {
    const settings = { session: { stateful: true, renewAfter: 3600 } };
    const updated = await updateAround("swap", { theme: "dark" }, settings);
    expect(updated?.data).toHaveProperty("theme", "dark");
  });
});
