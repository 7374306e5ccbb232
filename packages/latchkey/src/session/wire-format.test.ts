/**
 * The session cookie on the wire, as a document that runs: what another library must do to read
 * our sessions, and what it must write for us to read its own. Nothing here uses the engine's own
 * crypto on the other side.
 */
import { EncryptJWT, jwtDecrypt } from "jose";
import { hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";

import { askWith, handleRequest } from "../../test/handle-request.ts";
import { type Jar, jarOf } from "../../test/browser/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import type { RequestAuth } from "../host/request-auth.ts";
import { type Auth, createAuth, type Options } from "../host/auth.ts";
import { memoryStore } from "../stores/memory.ts";
import { signedInCookies } from "../testing/index.ts";

const secret = "vector-secret-0123456789abcdef0123456789";
const now = 1_800_000_000;
const options: Options = {
  ...goodSettings,
  secret,
  publicPaths: ["/"],
  clock: () => now * 1000,
  log: () => undefined,
};
const auth = createAuth(options);
const session = {
  user: { sub: "auth0|u1", name: "Ünï 日本 \u{1f511}", org_id: "org_1" },
  idToken: "id.token.text",
  accessToken: "opaque",
  accessTokenScope: "openid profile email",
  accessTokenExpiresAt: now + 3600,
  refreshToken: "refresh",
  theme: { own: ["field", 1, null, true] },
};

/** 1. The key: HKDF-SHA-256 over the secret's UTF-8 bytes, no salt, info `JWE CEK`, 32 bytes. */
const key = Buffer.from(hkdfSync("sha256", secret, "", "JWE CEK", 32));

async function ourValue(changed: Partial<Options> = {}): Promise<string> {
  const cookie = await signedInCookies({ options: { ...options, ...changed }, session });
  return jarOf(cookie)["appSession"] ?? "";
}

function headerOf(value: string): Record<string, unknown> {
  const [head = ""] = value.split(".");
  return JSON.parse(Buffer.from(head, "base64url").toString()) as Record<string, unknown>;
}

/** What nextjs-auth0 3.x does to write a session. */
function theirs(payload: object, times: { uat: number; iat: number; exp: number }, withKey = key) {
  return new EncryptJWT({ ...payload })
    .setProtectedHeader({ alg: "dir", enc: "A256GCM", ...times })
    .encrypt(withKey);
}

/** What an app sees of a request with these cookies, and the cookies of the browser afterwards. */
async function visit(cookies: Jar, at: Auth = auth) {
  const see = ({ session: seen, ended }: RequestAuth) => ({ seen, ended });
  const { made, next } = await askWith(at, cookies, see);
  return { ...made, jar: next };
}

describe("2. the value is a compact JWE", () => {
  test("it has five parts, the second empty: direct encryption, 96-bit vector, 128-bit tag [RFC 7516, section 7.1]", async () => {
    const parts = (await ourValue()).split(".").map((part) => Buffer.from(part, "base64url"));
    const bytes = Buffer.byteLength(JSON.stringify(session));
    const lengths = parts.map(({ length }) => length);
    expect(lengths).toEqual([expect.any(Number), 0, 12, bytes, 16]);
  });

  test("its header begins with alg, enc, uat, iat and exp, all times in epoch seconds", async () => {
    const header = headerOf(await ourValue());
    expect(Object.keys(header).slice(0, 5)).toEqual(["alg", "enc", "uat", "iat", "exp"]);
    const times = { uat: now, iat: now, exp: now + 86_400 };
    expect(header).toMatchObject({ alg: "dir", enc: "A256GCM", ...times });
  });

  test("its header goes on with our own members: id, start in milliseconds, tag of the user, issuer, client, key id", async () => {
    const header = headerOf(await ourValue());
    const own = ["id", "started", "subTag", "issuer", "client", "kid"];
    expect(Object.keys(header).slice(5)).toEqual(own);
    expect(header).toMatchObject({
      id: expect.stringMatching(/^[\w-]{22}$/) as string,
      started: now * 1000,
      issuer: goodSettings.issuerBaseURL,
      client: goodSettings.clientID,
      subTag: expect.stringMatching(/^[\w-]{16}$/) as string,
      kid: expect.stringMatching(/^[\w-]{8}$/) as string,
    });
  });

  test("its header holds when the app changed the data, in milliseconds", async () => {
    const jar = jarOf(await signedInCookies({ options, session }));
    const change = (here: RequestAuth) => here.update((data) => ({ ...data, theme: "dark" }));
    const { next } = await askWith(auth, jar, change);
    expect(headerOf(next["appSession"] ?? "")).toMatchObject({ changed: now * 1000 });
  });

  test("its header has no member a JWT reader would compare with the payload", async () => {
    const header = headerOf(await ourValue());
    for (const name of ["iss", "aud", "sub", "typ", "cty", "crit", "zip"]) {
      expect(header).not.toHaveProperty(name);
    }
  });
});

describe("3. the payload is the session, as JSON", () => {
  test("nextjs-auth0 3.x reads every field of it, and the three times", async () => {
    const { payload, protectedHeader } = await jwtDecrypt(await ourValue(), key, {
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
      currentDate: new Date(now * 1000),
    });
    expect(payload).toEqual(session);
    const { uat, iat, exp } = protectedHeader;
    expect([uat, iat, exp]).toEqual([now, now, now + 86_400]);
  });

  test("nextjs-auth0 3.x reads it with the first of several secrets", async () => {
    const value = await ourValue({ secret: [secret, "an-older-secret-0123456789abcdef"] });
    const other = Buffer.alloc(32);
    await expect(jwtDecrypt(value, other)).rejects.toThrow("decryption operation failed");
    expect((await jwtDecrypt(value, key)).payload).toEqual(session);
  });
});

describe("4. what nextjs-auth0 3.x writes signs its people in here", () => {
  const times = { uat: now - 100, iat: now - 5000, exp: now + 86_300 };

  test("the session has every field, its age and its end", async () => {
    const { seen } = await visit({ appSession: await theirs(session, times) });
    expect(seen).toMatchObject(session);
    expect(seen).toMatchObject({
      times: { createdAt: now - 5000, startedAt: now - 5000, absoluteEndsAt: now - 5000 + 604_800 },
    });
  });

  test("the session lives until the end written in it, and no longer than our durations", async () => {
    const over = await theirs(session, { ...times, exp: now });
    expect((await visit({ appSession: over })).ended).toBe("idle");
    const idle = await theirs(session, { ...times, uat: now - 86_400 });
    expect((await visit({ appSession: idle })).ended).toBe("idle");
    const old = await theirs(session, { ...times, iat: now - 604_800 });
    expect((await visit({ appSession: old })).ended).toBe("max-age");
  });

  test("nextjs-auth0 3.x reads the session we have renewed, so people can move back", async () => {
    const { jar } = await visit({ appSession: await theirs(session, times) });
    const { payload, protectedHeader } = await jwtDecrypt(jar["appSession"] ?? "", key);
    expect(payload).toEqual(session);
    expect(protectedHeader).toMatchObject({ uat: now, iat: now - 5000, exp: now + 86_400 });
  });

  test("logout here ends every copy, theirs and the one we renewed [ASVS 7.4.1]", async () => {
    const withStore = createAuth({ ...options, store: memoryStore(() => now * 1000) });
    const first = await theirs(session, times);
    const second = await theirs(session, { ...times, uat: now });
    const renewed = (await visit({ appSession: first }, withStore)).jar["appSession"] ?? "";
    const other = await theirs(session, { ...times, iat: times.iat - 1 });
    await askWith(withStore, { appSession: renewed }, () => undefined, "/api/auth/logout");
    for (const appSession of [first, second, renewed]) {
      expect((await visit({ appSession }, withStore)).ended).toBe("elsewhere");
    }
    expect((await visit({ appSession: other }, withStore)).seen).toMatchObject(session);
  });

  test("a session of another secret signs no user in, and its cookie is left alone", async () => {
    const foreign = Buffer.from(hkdfSync("sha256", "another-secret", "", "JWE CEK", 32));
    const cookies = { appSession: await theirs(session, times, foreign) };
    expect(await visit(cookies)).toEqual({ seen: null, ended: undefined, jar: cookies });
  });

  test("session.requireIssuer refuses their sessions, for when a migration is over", async () => {
    const strict = createAuth({ ...options, session: { requireIssuer: true } });
    const cookies = { appSession: await theirs(session, times) };
    expect(await visit(cookies, strict)).toMatchObject({ seen: null, ended: "unreadable" });
    const ours = { appSession: await ourValue() };
    expect((await visit(ours, strict)).seen).toMatchObject(session);
  });
});

describe("5. a value that is too long for one cookie is cut", () => {
  const large = { ...session, about: "x".repeat(6000) };

  test("its chunks are appSession.0, .1 …; each has 4004 characters over https, 4096 with its attributes", async () => {
    const cookies = jarOf(await signedInCookies({ options, session: large }));
    expect(Object.keys(cookies)).toEqual(["appSession.0", "appSession.1", "appSession.2"]);
    const lengths = Object.values(cookies).map(({ length }) => length);
    expect(lengths.slice(0, 2)).toEqual([4004, 4004]);
    const { payload } = await jwtDecrypt(Object.values(cookies).join(""), key);
    expect(payload).toEqual(large);
  });

  test("chunks nextjs-auth0 3.x has cut are joined by number, in whatever order they come", async () => {
    const value = await theirs(large, { uat: now, iat: now, exp: now + 86_400 });
    const cookies: Record<string, string> = {};
    for (let index = 12; index >= 0; index -= 1) {
      cookies[`appSession.${index}`] = value.slice(index * 700, (index + 1) * 700);
    }
    expect(value.length).toBeGreaterThan(12 * 700);
    cookies["appSession.12"] = value.slice(12 * 700);
    expect((await visit(cookies)).seen).toMatchObject(large);
  });
});

describe("6. the transaction is ours alone", () => {
  test("a transaction nextjs-auth0 3.x has signed cannot be finished here, and sign-in starts again", async () => {
    const signed = `{"nonce":"n","state":"s"}.plTgfVrWBjdptWj9vsPEX5xw1_4ICA1a_j6MUDhBCPk`;
    const request = new Request(`${goodSettings.baseURL}/api/auth/callback?code=c&state=s`, {
      headers: { accept: "text/html", cookie: `auth_verification=${encodeURIComponent(signed)}` },
    });
    const { response } = await handleRequest(auth, request, () => undefined);
    expect(response.status).toBe(400);
    expect(response.headers.get("refresh")).toBe(
      `0; url=${goodSettings.baseURL}/api/auth/login?restart=1`,
    );
  });
});
