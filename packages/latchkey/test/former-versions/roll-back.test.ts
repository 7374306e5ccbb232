/** A rolling deploy and a roll-back while users of several connections and hosts are signed in. */
import { jwtDecrypt } from "jose";
import { hkdfSync } from "node:crypto";
import { expect, test } from "vitest";

import { openText } from "../../src/crypto/jwe.ts";
import { deriveKeyRing, type KeyPurpose } from "../../src/crypto/key-ring.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import type { Store } from "../../src/stores/store.ts";
import { longTests } from "../long-tests.ts";
import { several, severalSites } from "../sessions/several-sites.ts";
import { goodSettings } from "../settings.ts";

const users = longTests ? 1000 : 200;

/** All purposes that former versions know. */
const formerPurposes = [
  "session",
  "last-use",
  "device-cookie",
  "device-offer",
  "transaction",
  "activity",
] as const satisfies KeyPurpose[];
const formerKeys = formerPurposes.map((purpose) => deriveKeyRing([goodSettings.secret], purpose));
const keyOf37 = Buffer.from(hkdfSync("sha256", goodSettings.secret, "", "JWE CEK", 32));
const kinds = [
  ["primary", "default"],
  ["primary", "acme"],
  ["primary", "beta"],
  ["other", "default"],
  ["other", "acme"],
] as const;

const opensForFormer = (sealed: string) =>
  formerKeys.some((ring) => typeof openText(ring, sealed) === "object");

async function isReadBy37(sealed: string, sub: string): Promise<boolean> {
  const currentDate = new Date(1_800_000_000_000);
  const opened = await jwtDecrypt(sealed, keyOf37, { currentDate }).catch(() => null);
  return opened !== null && (opened.payload["user"] as { readonly sub: string }).sub === sub;
}

test.each<[string, () => Store | null]>([
  ["cookies", () => null],
  ["the store", memoryStore],
])(
  `of ${users} mixed sessions in %s none of default is lost, and none of others is taken for one [MX-103]`,
  async (_, createStore) => {
    const store = createStore();
    const session = { stateful: store !== null };
    const world = severalSites({ settings: { ...several, session }, store });
    const former = severalSites({ settings: { ...goodSettings, session }, store });
    const counts = { kept: 0, mixed: 0, left: 0, back: 0 };
    for (let count = 0; count < users; count += 1) {
      const [at, connection] = kinds[count % kinds.length] ?? kinds[0];
      const sub = `user-${count}`;
      // oxlint-disable-next-line no-await-in-loop -- one user after the other
      const jar = await world.signIn(world[at], connection, { user: { sub } });
      const { appSession = "" } = jar;
      const isOfDefault = at === "primary" && connection === "default";
      const isHandle = appSession.split(".").length === 4;
      const isKnown = store === null ? opensForFormer(appSession) : isHandle;
      // oxlint-disable-next-line no-await-in-loop
      const is37 = store === null && (await isReadBy37(appSession, sub));
      const exchange = former.ask(former.primary, jar);
      // oxlint-disable-next-line no-await-in-loop
      const found = await exchange.use();
      const isCleared = exchange.commit().some(([name]) => name.toLowerCase() === "set-cookie");
      const isRead = isKnown && (store !== null || is37) && found.state === "active";
      if (isOfDefault && isRead) counts.kept += 1;
      if (!isOfDefault && (isKnown || is37 || found.state === "active")) counts.mixed += 1;
      if (!isOfDefault && found.state === "none" && !isCleared) counts.left += 1;
      // oxlint-disable-next-line no-await-in-loop
      const again = await world.ask(world[at], jar).read();
      if (again.state === "active" && again.stored.data.user.sub === sub) counts.back += 1;
    }
    expect(counts).toEqual({ kept: users / 5, mixed: 0, left: (users * 4) / 5, back: users });
  },
);
