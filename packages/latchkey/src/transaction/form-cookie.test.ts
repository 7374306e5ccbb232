import { describe, expect, test } from "vitest";
import { primarySite, transactionKeys } from "../../test/sealing.ts";

import { jarAfter, namesIn } from "../../test/browser/cookie-jar.ts";
import { configOf } from "../../test/settings.ts";
import { keptFormPath } from "../config/addresses.ts";
import type { Settings } from "../config/settings.ts";
import { sealText } from "../crypto/jwe.ts";
import { deriveKeyRing } from "../crypto/key-ring.ts";
import { createKeptForms, type KeptForm } from "./form-cookie.ts";

const form: KeptForm = { action: "/order", fields: [["item", "7"]], subTag: "ada" };
const large: KeptForm = { ...form, fields: [["text", "x".repeat(4000)]] };

function world(settings: Partial<Settings> = {}) {
  const config = configOf(settings);
  const keys = deriveKeyRing(config.secrets, "transaction");
  let now = 1_700_000_000_500;
  const forms = createKeptForms({
    config,
    site: primarySite,
    keys: transactionKeys(config.secrets),
    clock: () => now,
  });
  return {
    forms,
    config,
    sealed: (text: string) => ({ auth_form: sealText(keys, {}, text) }),
    advance: (ms: number) => void (now += ms),
  };
}

describe("a kept form", () => {
  test.each([form, large])(
    "is readable for the user who posted it, for ten minutes (%#)",
    (kept) => {
      const { forms, advance } = world();
      const cookies = jarAfter(forms.keep(kept) ?? [], {});
      advance(599_499);
      expect(forms.read(cookies, "ada")).toEqual(kept);
      expect(forms.read(cookies, "ben")).toBeNull();
      expect(forms.read(cookies, undefined)).toBeNull();
      advance(1);
      expect(forms.read(cookies, "ada")).toBeNull();
    },
  );

  test("is in cookies for the page that offers it, below the base path, and for no other", () => {
    const { forms, config } = world({ baseURL: "https://app.example/shop" });
    const [cookie, ...cleared] = forms.keep(form) ?? [];
    expect(cookie).toMatch(
      /^auth_form=[^;]+; Path=\/shop\/_auth\/form; Expires=[^;]+ 22:23:20 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(namesIn(cleared)).toEqual({ set: [], cleared: ["auth_form.0", "auth_form.1"] });
    expect(cleared[0]).toMatch(/^auth_form\.0=; /);
    expect(keptFormPath(config)).toBe("/_auth/form");
  });

  test("works over plain http if the app does", () => {
    const { forms } = world({ baseURL: "http://localhost:3000" });
    expect(forms.keep(form)?.[0]).toMatch(/; HttpOnly; SameSite=Lax$/);
  });

  test("replaces a longer one, and the other way round", () => {
    const { forms } = world();
    const withLarge = jarAfter(forms.keep(large) ?? [], {});
    expect(Object.keys(withLarge)).toEqual(["auth_form.0", "auth_form.1"]);
    const withSmall = jarAfter(forms.keep(form) ?? [], withLarge);
    expect(Object.keys(withSmall)).toEqual(["auth_form"]);
    expect(jarAfter(forms.keep(large) ?? [], withSmall)).not.toHaveProperty("auth_form");
  });
});

test("a form too large for two cookies is not kept", () => {
  const { forms } = world();
  expect(forms.keep({ ...form, fields: [["text", "x".repeat(8000)]] })).toBeNull();
});

test.each([
  ["a counter of sign-ins", "1 1700000060"],
  ["nothing", "null"],
  ["a text", '"text"'],
  ["a form without an end", JSON.stringify({ form })],
  ["a form that ends some day", JSON.stringify({ form, until: "9" })],
  ["an end without a form", JSON.stringify({ until: 2_000_000_000 })],
  ["no form", JSON.stringify({ until: 2_000_000_000, form: null })],
  ["a text for a form", JSON.stringify({ until: 2_000_000_000, form: "ada" })],
  ["no address", JSON.stringify({ until: 2_000_000_000, form: { ...form, action: 7 } })],
  ["no fields", JSON.stringify({ until: 2_000_000_000, form: { ...form, fields: "item" } })],
])("%s under the same key is not read as a form", (_, text) => {
  const { forms, sealed } = world();
  expect(forms.read(sealed(text), "ada")).toBeNull();
});

test("a form without an owner is shown to no user", () => {
  const { forms, sealed } = world();
  const nobodys = { action: "/order", fields: [] };
  const text = JSON.stringify({ until: 2_000_000_000, form: nobodys });
  expect(forms.read(sealed(text), undefined)).toBeNull();
  expect(forms.read({ auth_form: "a.b.c.d.e" }, "ada")).toBeNull();
  expect(forms.read({}, "ada")).toBeNull();
});
