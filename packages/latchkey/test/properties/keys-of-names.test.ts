import { expect, test } from "vitest";

import { createEndedList } from "../../src/session/marks/ended-list.ts";
import { refreshKey } from "../../src/session/refresh-result.ts";
import { recordKey, sessionTags, userIndex } from "../../src/session/session-handle.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { seededRandom } from "../seeded-random.ts";

/** Pieces that would run into each other if names were joined by a delimiter. */
const pieces = ["a", "|", "||", "b", ":", ",", '"', "\\", " ", ".", "[", "sid", "\u0000"];

test("no two of issuer, client, sub, sid and jti share a key, whatever delimiters are in them [MX-045]", async () => {
  const below = seededRandom(43);
  const text = () =>
    Array.from({ length: 1 + below(3) }, () => pieces[below(pieces.length)]).join("");
  const known = new Map<string, string>();
  const expectOwn = (key: string, names: readonly string[]) => {
    const owner = JSON.stringify(names);
    expect(known.get(key) ?? owner).toBe(owner);
    known.set(key, owner);
  };
  const kept = new Set<string>();
  const ended = createEndedList({
    store: { ...memoryStore(), lease: async (key) => (kept.add(key), true) },
    keepSeconds: 60,
    clock: Date.now,
  });
  for (let count = 0; count < 5000; count += 1) {
    const [issuer, client, sub, sid, jti] = [text(), text(), text(), text(), text()];
    const { subTag, sidTag = "" } = sessionTags({ issuer, client }, { sub, sid });
    expectOwn(`tag ${subTag}`, ["sub", issuer, client, sub]);
    expectOwn(`tag ${sidTag}`, ["sid", issuer, client, sid]);
    expectOwn(userIndex(subTag), ["index", issuer, client, sub]);
    const handle = { subTag, sidTag, secret: jti, keyId: "k" };
    expectOwn(recordKey(handle), ["record", issuer, client, sub, jti]);
    const header = { issuer, client, uat: 1, iat: 1, exp: 2, id: "s", subTag };
    const content = { header, data: { user: { sub } } };
    expectOwn(`refresh ${refreshKey(content, jti)}`, ["refresh", issuer, client, jti]);
    kept.clear();
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await ended.of({ issuer, client }).rememberToken(jti, "owner", 2_000_000_000);
    for (const key of kept) expectOwn(key, ["jti", issuer, client, jti]);
  }
});
