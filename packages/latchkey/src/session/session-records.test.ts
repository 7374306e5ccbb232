import { describe, expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import { sessionParts, signedInAt, signedInParts } from "../../test/sessions/session-parts.ts";
import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { type MemoryStore, memoryStore } from "../stores/memory.ts";
import type { SessionContent } from "./seal.ts";
import type { SessionRecord, StoredSession } from "./session.ts";
import { recordKey } from "./session-handle.ts";
import { createSessionRecords, type SessionRecords } from "./session-records.ts";

const settings = { session: { stateful: true } };

interface World {
  readonly records: SessionRecords;
  readonly stored: StoredSession & { readonly record: SessionRecord };
  /** How often a record was written in the place of another. */
  swaps(): number;
}

async function world(): Promise<World> {
  const inner = memoryStore(() => signedInAt * 1000);
  let swaps = 0;
  const store: MemoryStore = { ...inner, swap: (...entry) => ((swaps += 1), inner.swap(...entry)) };
  const { seal, stored } = await signedInParts({ settings, store });
  const { record } = stored;
  if (record === null) throw new Error("the session is not in the store");
  return {
    records: createSessionRecords({ store, seal, lifetime: { rolling: 60, absolute: 600 } }),
    stored: { ...stored, record },
    swaps: () => swaps,
  };
}

/** A change that sets one member. */
function setting(theme: string) {
  return async ({ header, data }: SessionContent): Promise<SessionContent> => ({
    header: { ...header, uat: header.uat + 1 },
    data: { ...data, theme },
  });
}

describe("a change of a session in the store", () => {
  test("it is not written again if another request made the same change meanwhile", async () => {
    const { records, stored, swaps } = await world();
    await records.update(stored.record, setting("dark"));
    const again = await records.update(stored.record, setting("dark"));
    expect(again?.data["theme"]).toBe("dark");
    expect(again?.record?.handle).toEqual(stored.record.handle);
    expect(await records.read(stored.record.handle)).toMatchObject({ record: again?.record });
    expect(swaps()).toBe(2);
  });

  test("it is made to the newer record of another request", async () => {
    const { records, stored, swaps } = await world();
    await records.update(stored.record, setting("dark"));
    expect((await records.update(stored.record, setting("light")))?.data["theme"]).toBe("light");
    expect(swaps()).toBe(3);
  });

  test("an unchanged session is written all the same: it was used", async () => {
    const { records, stored, swaps } = await world();
    await records.update(stored.record, async (content) => content);
    expect(swaps()).toBe(1);
  });

  test("a record sealed with a key missing here is a fault, and stays", async () => {
    const { records, stored, swaps } = await world();
    const keys = deriveKeyRing(["another-secret-0123456789abcdef"], "session");
    const sealed = sealText(keys, stored.header, JSON.stringify(stored.data));
    await expect(
      records.update({ ...stored.record, sealed }, setting("dark")),
    ).rejects.toMatchObject({ reason: "store_unavailable" });
    expect(swaps()).toBe(0);
  });

  test("a record opened by no key is not changed", async () => {
    const { records, stored, swaps } = await world();
    const record = { ...stored.record, sealed: "not.ours" };
    expect(await records.update(record, setting("dark"))).toBeNull();
    expect(swaps()).toBe(0);
  });
});

describe("a copy of a record", () => {
  const { read, signIn, store } = sessionParts({ settings });
  const copied = async () => (await signIn()).stored.record?.sealed ?? "";

  test("is no session in a cookie", async () => {
    const sealed = await copied();
    expect(await read({ appSession: sealed })).toMatchObject({ reason: "unreadable" });
  });

  test("is no session in another place of the store, of the same person or of another", async () => {
    for (const sub of ["ada", "eve"]) {
      const { stored, setCookies } = await signIn({ user: { sub } });
      const jar = jarAfter(setCookies);
      expect((await read(jar)).state).toBe("active");
      if (stored.record === null) throw new Error("the session is not in the store");
      await store.set(recordKey(stored.record.handle), await copied(), signedInAt + 1000);
      expect(await read(jar)).toMatchObject({ reason: "unreadable" });
    }
  });
});
