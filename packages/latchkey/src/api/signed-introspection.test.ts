import { describe, expect, test } from "vitest";

import { createApiApp, startSeconds } from "../../test/api/api-app.ts";
import { createIntrospectingApp, good } from "../../test/api/introspecting-app.ts";
import { keyPair, type Members } from "../../test/api/issuer.ts";

describe("signed answers [AP-017]", () => {
  const type = "application/token-introspection+jwt";
  const envelope = { iss: "https://op.example", aud: "client", iat: startSeconds };

  async function statusOfSigned(
    claims: Members = {},
    { header = {}, signer = "https://op.example", contentType = type } = {},
  ): Promise<number> {
    const world = await createIntrospectingApp({ jwt: true });
    const { privateKey } = await keyPair("ES256", signer);
    const payload = { ...envelope, token_introspection: good, ...claims };
    const typed = { typ: "token-introspection+jwt", ...header };
    const text = await world.app.issuer.sign(payload, typed, privateKey);
    world.answer = () => new Response(text, { headers: { "content-type": contentType } });
    return (await world.app.call({ token: "opaque" })).status;
  }

  test("count with the claims inside", async () => {
    expect(await statusOfSigned()).toBe(200);
    expect(await statusOfSigned({ iat: startSeconds - 59 })).toBe(200);
    expect(await statusOfSigned({ iat: startSeconds + 59 })).toBe(200);
    expect(await statusOfSigned({ aud: ["other", "client"] })).toBe(200);
    expect(await statusOfSigned({}, { contentType: `${type}; charset=utf-8` })).toBe(200);
    expect(await statusOfSigned({ token_introspection: { active: false } })).toBe(401);
  });

  test.each([
    { iss: "https://other.example" },
    { iss: undefined },
    { aud: "other" },
    { aud: ["other"] },
    { aud: undefined },
    { iat: undefined },
    { iat: String(startSeconds) },
    { iat: startSeconds + 120 },
    { iat: startSeconds - 120 },
    { iat: startSeconds - 3600 },
    { token_introspection: undefined, ...good, aud: "client" },
    { token_introspection: "good" },
  ])("with %j are no answer", async (claims) => {
    expect(await statusOfSigned(claims)).toBe(503);
  });

  test("of another type, algorithm or key are no answer", async () => {
    expect(await statusOfSigned({}, { header: { typ: "at+jwt" } })).toBe(503);
    expect(await statusOfSigned({}, { signer: "mallory" })).toBe(503);
    expect(await statusOfSigned({}, { contentType: "application/json" })).toBe(503);
    const other = await createApiApp({ introspection: { jwt: true }, algorithms: ["RS256"] });
    const text = await other.issuer.sign(
      { ...envelope, token_introspection: good },
      { typ: "token-introspection+jwt" },
    );
    const headers = { "content-type": type };
    other.issuer.answers.set("/introspect", () => new Response(text, { headers }));
    expect(await other.call({ token: "opaque" })).toMatchObject({ status: 503 });
  });

  test("are demanded: a plain answer is none", async () => {
    const { app } = await createIntrospectingApp({ jwt: true });
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 503 });
  });

  test("that cannot be read are no answer", async () => {
    const headers = { "content-type": type };
    const { app } = await createIntrospectingApp(
      { jwt: true },
      () => new Response("a.b.c", { headers }),
    );
    expect(await app.call({ token: "opaque" })).toMatchObject({ status: 503 });
  });
});
