import { describe, expect, test } from "vitest";

import { deriveKeyRing } from "../crypto/key-ring.ts";
import { createDeviceCookie } from "./device-cookie.ts";
import { createDeviceOffers } from "./device-offer.ts";

const now = 1_800_000_000;
const keysOf = (secret: string) => {
  const [sealing, macs] = [
    deriveKeyRing([secret], "device-offer"),
    deriveKeyRing([secret], "device-cookie"),
  ];
  return { app: "p".repeat(22), sealing: () => sealing, macs: () => macs };
};
const keys = keysOf("a".repeat(40));
const offers = createDeviceOffers(keys);
const session = {
  id: "i".repeat(22),
  subTag: "u".repeat(16),
  sidTag: undefined,
  connection: "acme",
  iat: now,
  started: now * 1000 + 123,
  issued: undefined,
  end: now + 86_400,
};
const offer = offers.offer(session, now);

describe("an offer", () => {
  test("opens as what it was made of, for five minutes [DB-011]", () => {
    expect(offers.openOffer(offer, now + 299)).toStrictEqual(session);
    expect(offers.openOffer(offer, now + 300)).toBeNull();
    const whole = { ...session, sidTag: "s".repeat(16), connection: undefined, issued: now - 1 };
    expect(offers.openOffer(offers.offer(whole, now), now)).toStrictEqual(whole);
  });

  test.each([
    ["another secret", createDeviceOffers(keysOf("b".repeat(40))).offer(session, now)],
    ["another app", createDeviceOffers({ ...keys, app: "q".repeat(22) }).offer(session, now)],
    ["a later time", offer.replace(/^\d+/, String(now + 900))],
    ["another session", offer.replace("iiii", "jjjj")],
    ["another user", offer.replace("uuuu", "vvvv")],
    ["another connection", offer.replace("acme", "evil")],
    ["a later end", offer.replace(String(session.end), String(session.end + 1))],
    ["moved dots", offer.replace(".acme", "acme.")],
    ["no MAC", offer.slice(0, -22)],
    ["a challenge", offers.challenge(session.id, now)],
    ["an address of a refresh", offers.keep({ ...session, jwk: {} })],
    ["nothing", ""],
    ["a dot", "."],
  ])("of %s does not open [DB-011]", (_, text) => {
    expect(offers.openOffer(text, now)).toBeNull();
  });
});

describe("a challenge", () => {
  const challenge = offers.challenge(session.id, now);

  test("is good for its session, for a quarter of an hour [DB-011]", () => {
    expect(challenge.length).toBeLessThan(40);
    expect(offers.isCurrent(challenge, session.id, now + 899)).toBe(true);
    expect(offers.isCurrent(challenge, session.id, now + 900)).toBe(false);
    expect(offers.isCurrent(challenge, "j".repeat(22), now)).toBe(false);
  });

  test.each([
    ["a later time", challenge.replace(/^\d+/, String(now + 900))],
    ["a further part", `${challenge}.x`],
    ["an offer", offer],
    ["no MAC", `${now}.`],
    ["nothing", ""],
  ])("with %s is refused [DB-011]", (_, text) => {
    expect(offers.isCurrent(text, session.id, now)).toBe(false);
  });

  test("does not pass for the cookie of a proof, nor the cookie for it [DB-011]", () => {
    const cookie = createDeviceCookie({
      keys: keys.macs,
      session: { name: "s", cookie: { path: "/", sameSite: "lax", secure: true } },
    });
    const thumbprint = "t".repeat(43);
    const written = /=([^;]*)/.exec(cookie.write(session.id, thumbprint, now))?.[1] ?? "";
    expect(offers.isCurrent(written, session.id, now)).toBe(false);
    const [issued = "", mac = ""] = challenge.split(".");
    const forged = { "s.device": `${issued}.${thumbprint}.${mac}` };
    expect(cookie.newKey(session, forged, now - 1)).toBeNull();
    expect(cookie.newKey(session, { "s.device": written }, now)).not.toBeNull();
  });
});

test("an address of a refresh holds nothing to read [DB-011]", () => {
  const kept = offers.keep({ ...session, jwk: { kty: "EC" } });
  expect(offers.openKept(kept)).toMatchObject({ id: session.id, jwk: { kty: "EC" } });
  const read = kept.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
  expect([kept, ...read].join()).not.toContain(session.subTag);
  expect(offers.openKept(offer)).toBeNull();
  const another = createDeviceOffers({ ...keys, app: "q".repeat(22) });
  expect(another.openKept(kept)).toBeNull();
});
