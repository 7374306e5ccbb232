import { expect, test } from "vitest";

import { jarAfter } from "../../test/browser/cookie-jar.ts";
import { configOf } from "../../test/settings.ts";
import { deriveKeyRing, type KeyPurpose } from "../crypto/key-ring.ts";
import { sealText } from "../crypto/jwe.ts";
import { createLastConnection } from "./last-connection.ts";

const now = 1_700_000_000_000;

function at(baseURL: string, purpose: KeyPurpose = "last-connection") {
  const config = configOf({ baseURL });
  const keys = deriveKeyRing(config.secrets, purpose);
  const last = createLastConnection({ config, keys: () => keys, clock: () => now });
  return { ...last, keys };
}

test("a browser keeps the id of its last connection for 180 days, sealed, for this host alone [MX-068]", () => {
  const last = at("https://app.example.com");
  const line = last.write("acme");
  expect(line).toMatch(
    /^__Host-auth_last=[\w.-]+; Path=\/; Expires=.+; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(line).toContain(new Date(now + 180 * 86_400_000).toUTCString());
  expect(line).not.toContain("acme");
  expect(last.read(jarAfter([line]))).toBe("acme");
});

test("the cookie of another host, a forged one and none count for nothing [MX-068]", () => {
  const last = at("https://app.example.com");
  const jar = jarAfter([at("https://other.example.com").write("acme")]);
  const ofOtherPurpose = at("https://app.example.com", "transaction").write("acme");
  const [name = ""] = Object.keys(jar);
  const values = ["acme", "", "a.b.c.d.e", sealText(last.keys, {}, "acme")];
  expect(last.read(jar)).toBeNull();
  expect(last.read(jarAfter([ofOtherPurpose]))).toBeNull();
  expect(last.read({})).toBeNull();
  for (const value of values) expect(last.read({ [name]: value })).toBeNull();
});

test("on http the cookie has a name which browsers take", () => {
  const last = at("http://localhost:3000");
  expect(last.write("acme")).toMatch(/^auth_last=/);
});
