import { describe, expect, test } from "vitest";

import { sessionSeal } from "../../test/sessions/session-seal.ts";
import { keyIdIn, openText, sealText } from "../crypto/jwe.ts";
import { deriveKeyRing, type KeyPurpose } from "../crypto/key-ring.ts";
import { providerSessionTag, userTag } from "./session-handle.ts";

const secret = "0123456789abcdef0123456789abcdef";
const registration = { issuer: "https://op.example", client: "client" };
const times = { uat: 2000, iat: 1000, exp: 90_000 };
const header = { ...times, id: "id", started: 5, subTag: "tag", ...registration };
const data = { user: { sub: "ada" }, accessToken: "at" };

const seal = sessionSeal([secret], registration);

interface Contents {
  readonly header?: Record<string, unknown>;
  readonly text?: string;
  readonly purpose?: KeyPurpose;
}

/** A text that is sealed with our key, whatever it holds. */
function sealed(contents: Contents): string {
  const ring = deriveKeyRing([secret], contents.purpose ?? "session");
  return sealText(ring, contents.header ?? header, contents.text ?? JSON.stringify(data));
}

test("a sealed session opens with its header and data", () => {
  expect(seal.open(seal.seal({ header, data }))).toMatchObject({ header, data });
});

test("an opened session is sealed with its current data, whatever it was opened from", () => {
  const opened = seal.open(seal.seal({ header, data }));
  if (typeof opened === "string") throw new Error(opened);
  const unchanged = { ...opened, header: { ...opened.header, uat: 3000 } };
  expect(seal.open(seal.seal(unchanged))).toMatchObject({ header: { uat: 3000 }, data });
  const changed = { ...opened, data: { ...opened.data, accessToken: "newer" } };
  expect(seal.open(seal.seal(changed))).toMatchObject({ data: { accessToken: "newer" } });
});

test("unchanged data are sealed again as the same text", () => {
  const text = `{ "user": { "sub": "ada" }, "price": 1.50 }`;
  const opened = seal.open(sealed({ text }));
  if (typeof opened === "string") throw new Error(opened);
  const again = openText(deriveKeyRing([secret], "session"), seal.seal(opened));
  expect(again).toMatchObject({ text });
});

test.each([undefined, "session|tag|key"])(
  "a session that would be too large to be opened again is not sealed, in the place %s",
  (place) => {
    const sealedWith = (note: string) =>
      seal.seal({ header, data: { ...data, note, none: undefined, few: 1 } }, place);
    expect(seal.open(sealedWith("x".repeat(95_000)), place)).toHaveProperty("data.user.sub", "ada");
    expect(() => sealedWith("x".repeat(100_000))).toThrow(
      expect.objectContaining({
        reason: "session_too_large",
        detail: expect.stringMatching(
          /^\d{6} bytes sealed, 131072 allowed; largest parts: note 100002, /,
        ) as string,
        largestParts: ["note", "user.sub", "accessToken"],
      }),
    );
  },
);

test.each([
  [
    { ...times, id: "own" },
    { id: "own", subTag: userTag(registration, "ada") },
  ],
  [{ ...times, subTag: "old" }, { id: `${userTag(registration, "ada")}.1000` }],
])("a session that lacks id or tag of its user is given both: %j", (lacking, expected) => {
  const names = { subTag: userTag(registration, "ada"), ...expected };
  expect(seal.open(sealed({ header: lacking }))).toMatchObject({ header: names });
});

test.each([
  ["without a place, as former versions sealed them", header],
  ["in a place that names no user", { ...header, place: "hash" }],
])("records of sessions %s open under their keys", (_, withHeader) => {
  expect(seal.open(sealed({ header: withHeader }), "session|tag|hash")).toMatchObject({ data });
});

test("each session has a place of its own in the store, always the same", () => {
  const secretOf = (id: string) => seal.handleOf({ ...header, id }).secret;
  expect(secretOf("one")).toBe(secretOf("one"));
  expect(secretOf("one")).not.toBe(secretOf("other"));
});

test("a seal knows the ids of its own keys, old ones included", () => {
  const old = sessionSeal([secret], registration);
  const both = sessionSeal(["another-secret-0123456789abcdef-0123", secret], registration);
  expect(both.knowsKey(old.keyId({}))).toBe(true);
  expect(both.knowsKey(both.keyId({}))).toBe(true);
  expect(old.knowsKey(both.keyId({}))).toBe(false);
});

describe("a text without a session", () => {
  test.each(["x", "a.b.c", "....", "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA", "x".repeat(200_000)])(
    "garbage is unreadable, and no error is thrown: %.20s",
    (value) => {
      expect(seal.open(value)).toBe("unreadable");
    },
  );

  test.each([
    ["no times", {}],
    ["a time that is text", { ...header, exp: "90000" }],
    ["a negative time", { ...header, uat: -1 }],
    ["a fraction", { ...header, iat: 1.5 }],
    ["a huge time", { ...header, exp: 1e300 }],
    ["an id that is no text", { ...header, id: 7 }],
    ["a start that is no number", { ...header, started: "5" }],
    ["a tag that is no text", { ...header, subTag: 7 }],
    ["a session tag that is no text", { ...header, sidTag: {} }],
  ])("a header with %s is unreadable [ATK-020]", (_, otherHeader) => {
    expect(seal.open(sealed({ header: otherHeader }))).toBe("unreadable");
  });

  test.each(["null", "[]", "{}", '{"user":null}', '{"user":{}}', '{"user":{"sub":7}}', "{", '"x"'])(
    "the payload %s is unreadable [ATK-020]",
    (text) => {
      expect(seal.open(sealed({ text }))).toBe("unreadable");
    },
  );
});

describe("a session of another app", () => {
  test("a session sealed with another secret has an unknown key, and names it [OP-080]", () => {
    const other = sessionSeal(["another-secret-0123456789abcdef-0123"], registration);
    const sealedThere = other.seal({ header, data });
    expect(seal.open(sealedThere)).toBe("unknown-key");
    expect(keyIdIn(sealedThere)).toBe(other.keyId({}));
  });

  test.each(["x", "a.b.c.d.e"])("a text that is not sealed names no key: %s", (text) => {
    expect(keyIdIn(text)).toBeUndefined();
  });

  test.each([{ connection: "acme" }, { origin: "https://acme.example" }])(
    "a text with the key of former versions does not open with %j in its header [MX-039]",
    (names) => {
      expect(seal.open(sealed({ header: { ...header, ...names } }))).toBe("unknown-key");
    },
  );
});

describe("a session made by another library", () => {
  test("it is read although it names neither issuer nor client", () => {
    expect(seal.open(sealed({ header: times }))).toMatchObject({ data });
  });

  test("it gets an id and tags, the same for all its copies", () => {
    const user = { sub: "ada", sid: "sid-1" };
    const text = JSON.stringify({ user });
    const [one, other] = [sealed({ header: times, text }), sealed({ header: times, text })];
    expect(one).not.toBe(other);
    const subTag = userTag(registration, "ada");
    const expected = {
      id: `${subTag}.1000`,
      subTag,
      sidTag: providerSessionTag(registration, "sid-1"),
    };
    expect(seal.open(one)).toMatchObject({ header: expected });
    expect(seal.open(other)).toMatchObject({ header: expected });
  });

  test.each([
    ["neither", times],
    ["no client", { ...times, issuer: registration.issuer }],
    ["no issuer", { ...times, client: registration.client }],
  ])("session.requireIssuer refuses a cookie that names %s", (_, withHeader) => {
    const strict = sessionSeal([secret], registration, ["issuer", "client"]);
    expect(strict.open(sealed({ header: withHeader }))).toBe("unreadable");
    expect(strict.open(sealed({ header: { ...times, ...registration } }))).toMatchObject({ data });
  });
});

test("whatever the app makes of user.sub and user.sid, the tags of the sign-in stay", () => {
  const changed = { user: { sub: "somebody-else", sid: "other" } };
  const opened = seal.open(
    seal.seal({ header: { ...header, sidTag: "session-tag" }, data: changed }),
  );
  expect(opened).toMatchObject({ header: { subTag: "tag", sidTag: "session-tag" } });
});

describe("the names of a session made elsewhere", () => {
  const opened = (user: object) => {
    const content = seal.open(sealed({ header: times, text: JSON.stringify({ user }) }));
    return typeof content === "string" ? content : content.header;
  };

  test("a session without a sid has no tag of one, so logout of its user alone finds it", () => {
    expect(opened({ sub: "ada" })).not.toHaveProperty("sidTag");
  });

  test("a sid of another type counts as none", () => {
    expect(opened({ sub: "ada", sid: 7 })).not.toHaveProperty("sidTag");
  });
});
