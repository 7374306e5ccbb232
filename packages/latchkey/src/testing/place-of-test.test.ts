import { expect, test } from "vitest";

import { createAuth, type Options } from "../index.ts";
import { signedInCookies } from "./signed-in-cookies.ts";
import { createTestKit } from "./test-kit.ts";

const hosts = ["http://app.localhost:3000", "http://acme.localhost:3000"] as const;
const [primary, acmeHost] = hosts;
const options: Options = {
  baseURL: [...hosts],
  issuerBaseURL: "http://localhost:4000",
  clientID: "app",
  clientSecret: "a-client-secret-of-the-tests",
  secret: "a-secret-of-the-tests-that-is-long",
  identity: "issuer+sub",
  connections: {
    acme: { issuerBaseURL: "http://localhost:4001", clientID: "acme", clientSecret: "secret" },
  },
  log: () => undefined,
};
const auth = createAuth(options);
const kit = createTestKit(auth);

/** What the app says of a request with these cookies. */
async function seenAt(baseURL: string, cookie: string): Promise<unknown> {
  const request = new Request(`${baseURL}/who`, { headers: { cookie } });
  const response = await auth.respond(request, (passed) => {
    const { connection, identity } = auth.of(passed);
    return Response.json({ connection, issuer: identity?.issuer, sub: identity?.sub });
  });
  return response.status === 200 ? response.json() : response.status;
}

const ofAcme = { connection: "acme", issuer: "http://localhost:4001", sub: "ada" };
const ofDefault = { connection: "default", issuer: "http://localhost:4000", sub: "ada" };

test("the test kit signs in with a connection and at a host, and the session counts there alone [MX-040]", async () => {
  const place = { connection: "acme", baseURL: acmeHost };
  const { header, cookies } = await kit.signIn({ sub: "ada" }, place);
  expect(await seenAt(acmeHost, header)).toEqual(ofAcme);
  expect(await seenAt(primary, header)).not.toEqual(ofAcme);
  expect(new Set(cookies.map(({ domain }) => domain))).toEqual(new Set(["acme.localhost"]));
});

test("the test kit signs in with the flat settings at the first host by default", async () => {
  const { header } = await kit.signIn({ sub: "ada" });
  expect(await seenAt(primary, header)).toEqual(ofDefault);
  expect(await seenAt(acmeHost, header)).not.toEqual(ofDefault);
});

test("signedInCookies() signs in with a connection and at a host", async () => {
  const session = { user: { sub: "ada" } };
  const place = { connection: "acme", baseURL: acmeHost };
  expect(await seenAt(acmeHost, await signedInCookies({ options, session, ...place }))).toEqual(
    ofAcme,
  );
});

test.each([
  ["connection", { connection: "amce" }, /no connection amce, but default, acme/],
  ["host", { baseURL: "http://other.localhost:3000" }, /no base URL http:\/\/other\.localhost/],
])("the test kit names an unknown %s", async (_name, place, message) => {
  await expect(kit.signIn({ sub: "ada" }, place)).rejects.toThrow(message);
});
