import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/cookie-jar.ts";
import { sessionSeal } from "../../test/session-seal.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import { deriveKeyRing, type KeyPurpose, sealText } from "../crypto/key-ring.ts";
import { cookieStorage } from "./cookie-storage.ts";
import type { SessionHeader, StoredSession } from "./session.ts";
import { createSessionCookie } from "./session-cookie.ts";

const party = { issuer: "https://op.example", client: "client" };
const header: SessionHeader = { uat: 2000, iat: 1000, exp: 90_000, id: "id", started: 5, ...party };
const ada: StoredSession = { header, data: { user: { sub: "ada" }, accessToken: "at" } };

function storageWith(settings: Partial<Settings> = {}) {
  const config = readConfig({ ...goodSettings, ...settings }, { hasStore: false });
  const { name } = config.session;
  const seal = sessionSeal(config.secrets, party);
  return cookieStorage({ name, cookie: createSessionCookie(config), seal });
}

const storage = storageWith();

async function sealed(
  contents: { readonly header?: Record<string, unknown>; readonly text?: string },
  purpose: KeyPurpose = "session",
): Promise<string> {
  const ring = deriveKeyRing([goodSettings.secret], purpose);
  const { header: withHeader = { ...header }, text = JSON.stringify(ada.data) } = contents;
  return sealText(ring, withHeader, text);
}

/** Text that does not repeat, so that every chunk differs. */
function longText(length: number): string {
  return Array.from({ length: Math.ceil(length / 8) }, (_, index) => `${index}`.padStart(8, "0"))
    .join("")
    .slice(0, length);
}

function withText(length: number, uat = 2000): StoredSession {
  return { header: { ...header, uat }, data: { user: { sub: "ada", about: longText(length) } } };
}

describe("loading", () => {
  test("what was created is found again", async () => {
    const jar = jarAfter(await storage.create(ada, {}));
    const found = await storage.load(jar);
    expect(found).toMatchObject({ header, data: ada.data });
  });

  test("a request without cookies, or with emptied ones, carries none", async () => {
    expect(await storage.load({})).toBeNull();
    expect(await storage.load({ appSession: "", "appSession.0": "" })).toBeNull();
    expect(await storage.load({ other: "x" })).toBeNull();
  });

  test.each(["x", "a.b.c", "....", "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA", "x".repeat(200_000)])(
    "garbage is unreadable, not an error: %.20s [ATK-004]",
    async (value) => {
      expect(await storage.load({ appSession: value })).toBe("unreadable");
    },
  );

  test("a session made for another issuer or client is nobody's", async () => {
    for (const other of [{ issuer: "https://other.example" }, { client: "other" }]) {
      const value = await sealed({ header: { ...header, ...other } });
      expect(await storage.load({ appSession: value })).toBe("unreadable");
    }
  });

  test("a session that names neither, made by another library, is read", async () => {
    const value = await sealed({ header: { uat: 2000, iat: 1000, exp: 90_000 } });
    expect(await storage.load({ appSession: value })).toMatchObject({ data: ada.data });
  });

  test("a pending login put in its place is unreadable [ATK-020]", async () => {
    const value = await sealed({}, "transaction");
    expect(await storage.load({ appSession: value })).toBe("unreadable");
  });

  test.each([
    ["no times", {}],
    ["a time that is text", { ...header, exp: "90000" }],
    ["a negative time", { ...header, uat: -1 }],
    ["a fraction", { ...header, iat: 1.5 }],
    ["a huge time", { ...header, exp: 1e300 }],
    ["an id that is no text", { ...header, id: 7 }],
    ["a start that is no number", { ...header, started: "5" }],
  ])("a header with %s is unreadable", async (_, otherHeader) => {
    const value = await sealed({ header: otherHeader });
    expect(await storage.load({ appSession: value })).toBe("unreadable");
  });

  test.each(["null", "[]", "{}", '{"user":null}', '{"user":{}}', '{"user":{"sub":7}}', "{", '"x"'])(
    "the payload %s is unreadable",
    async (text) => {
      expect(await storage.load({ appSession: await sealed({ text }) })).toBe("unreadable");
    },
  );
});

describe("chunks", () => {
  test.each([
    [100, ["appSession"]],
    [4000, ["appSession.0", "appSession.1"]],
    [9000, ["appSession.0", "appSession.1", "appSession.2", "appSession.3"]],
  ])("a text of %i characters is kept in %j", async (length, names) => {
    const setCookies = await storage.create(withText(length), {});
    expect(namesIn(setCookies).set).toEqual(names);
    for (const line of setCookies) expect(line.length).toBeLessThanOrEqual(4096);
    expect(await storage.load(jarAfter(setCookies))).toMatchObject(withText(length));
  });

  test("a session that grows or shrinks leaves no chunk of its former self [STD-142]", async () => {
    let jar: Record<string, string> = {};
    for (const length of [100, 9000, 4000, 45_000, 100, 30_000, 4000]) {
      jar = jarAfter((await storage.renew(withText(length), jar)) ?? [], jar);
      expect(await storage.load(jar)).toMatchObject(withText(length));
      const count = Object.keys(jar).length;
      expect(Object.keys(jar).toSorted()).toEqual(
        count === 1
          ? ["appSession"]
          : Array.from({ length: count }, (_, at) => `appSession.${at}`).toSorted(),
      );
    }
  });

  test("a chunk that is missing makes the whole unreadable, never a part of it", async () => {
    const jar = jarAfter(await storage.create(withText(9000), {}));
    for (const name of Object.keys(jar)) {
      const { [name]: _lost, ...rest } = jar;
      expect([null, "unreadable"]).toContain(await storage.load(rest));
    }
  });

  test("chunks of two sessions are never mixed [ATK-108]", async () => {
    const one = jarAfter(await storage.create(withText(9000), {}));
    const other = jarAfter(await storage.create(withText(9000), {}));
    for (const name of Object.keys(one)) {
      expect(await storage.load({ ...one, [name]: other[name] })).toBe("unreadable");
    }
  });

  test.each([
    ["older", 1500],
    ["newer", 2500],
  ])("of an %s plain cookie beside chunks, the one used last is the session", async (age, uat) => {
    const chunks = jarAfter(await storage.create(withText(9000), {}));
    const plain = jarAfter(await storage.create(withText(10, uat), {}));
    const found = await storage.load({ ...chunks, ...plain });
    expect(found).toMatchObject({ header: { uat: age === "older" ? 2000 : 2500 } });
  });

  test("an unreadable plain cookie beside good chunks hides nothing [STD-143]", async () => {
    const chunks = jarAfter(await storage.create(withText(9000), {}));
    expect(await storage.load({ ...chunks, appSession: "tossed" })).toMatchObject({ header });
  });
});

describe("cookies", () => {
  test("end when the session does", async () => {
    const [line] = await storage.create(ada, {});
    expect(line).toMatch(
      /^appSession=[\w.-]+; Path=\/; Expires=Fri, 02 Jan 1970 01:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("end with the browser when they are transient", async () => {
    const transient = storageWith({ session: { cookie: { transient: true } } });
    expect((await transient.create(ada, {})).join()).not.toContain("Expires");
  });

  test("are all cleared with the session, whatever their number, with the same attributes", async () => {
    const setCookies = await storage.create(withText(45_000), {});
    const jar = jarAfter(setCookies);
    expect(Object.keys(jar).length).toBeGreaterThan(11);
    const cleared = await storage.remove({
      ...jar,
      appSession: "x",
      "appSession.77": "x",
      other: "x",
    });
    expect(namesIn(cleared).cleared.toSorted()).toEqual(
      [...Object.keys(jar), "appSession", "appSession.77"].toSorted(),
    );
    for (const line of cleared) expect(line).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test("are not cleared where there are none", async () => {
    expect(await storage.remove({ other: "x" })).toEqual([]);
  });

  test("that a cross-site POST could not bring are cleared all the same", async () => {
    const withFormPost = storageWith({ responseMode: "form_post" });
    expect(namesIn(await withFormPost.remove({})).cleared).toEqual(["appSession"]);
  });
});
