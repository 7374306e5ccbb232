import { expect, test } from "vitest";

import { quickClient } from "../../test/worlds/quick-provider.ts";
import { quickRelyingParty } from "../../test/worlds/quick-relying-party.ts";
import { recordedProvider } from "../../test/worlds/recorded-provider.ts";
import { fetchUserinfo } from "./userinfo.ts";

const clock = () => 1_800_000_000_000;
const { quick, connection, events } = quickRelyingParty(clock);

const asked = { accessToken: "at", subject: "ada", now: 1_800_000_000 };

function userinfoOf(response: Response) {
  quick.answers.userinfo = () => response;
  return fetchUserinfo(connection, asked);
}

const ofType = (type: string, text = '{"sub":"ada"}') =>
  new Response(text, { headers: { "Content-Type": type } });
const forged: typeof quick.sign = (claims) => quick.sign(claims).replace(/.{5}$/, "AAAAA");
const challenge = { status: 403, headers: { "WWW-Authenticate": "Bearer" } };
const signed = (claims: object, sign = quick.sign) =>
  ofType(
    "application/jwt",
    sign({ iss: quick.issuer, aud: quickClient.clientID, sub: "ada", ...claims }),
  );

test("userinfo about the same person brings its claims, less those without a value", async () => {
  const claims = { sub: "ada", name: "Ada", email: null };
  expect(await userinfoOf(Response.json(claims))).toEqual({ sub: "ada", name: "Ada" });
  expect(await userinfoOf(signed({ name: "Ada" }))).toMatchObject({ name: "Ada" });
  expect(await userinfoOf(ofType("Application/JSON ; charset=utf-8"))).toEqual({ sub: "ada" });
  const times = { exp: clock() / 1000 - 59, nbf: clock() / 1000 + 59 };
  expect(await userinfoOf(signed({ name: "Ada", ...times }))).toMatchObject({ name: "Ada" });
});

test.each([
  ["about another person", Response.json({ sub: "bob" }), "userinfo_subject"],
  ["about nobody", Response.json({}), "userinfo_subject"],
  ["that is signed, about another person", signed({ sub: "bob" }), "userinfo_subject"],
  ["under a changed signature", signed({}, forged), "token_signature"],
  ["of another issuer", signed({ iss: "https://evil.example" }), "token_issuer"],
  ["for another client", signed({ aud: "another" }), "token_audience"],
  ["that has expired", signed({ exp: clock() / 1000 - 61 }), "token_expired"],
  ["that is not active yet", signed({ nbf: clock() / 1000 + 61 }), "token_not_yet_valid"],
  ["whose expiry is no number", signed({ exp: "soon" }), "token_expired"],
  ["that is no object", Response.json(["ada"]), "userinfo_invalid"],
  ["that is no JSON", new Response("sub=ada"), "userinfo_invalid"],
  ["that is an error", Response.json({ error: "invalid_token" }), "userinfo_invalid"],
  ["that is encrypted", ofType("application/jwt", "a.b.c.d.e"), "token_malformed"],
  ["that is opaque", ofType("application/jwt", "opaque"), "userinfo_invalid"],
  [
    "under a changed signature, as JSON",
    ofType("application/json", forged({ iss: quick.issuer, aud: quickClient.clientID })),
    "token_signature",
  ],
  ["of a server that is broken", new Response("", { status: 500 }), "provider_failed"],
  ["with a challenge", new Response("", challenge), "userinfo_invalid"],
  ["with an error status", Response.json({ sub: "ada" }, { status: 403 }), "userinfo_invalid"],
])("userinfo %s is refused (OpenID Connect Core 5.3.2)", async (_, response, reason) => {
  const kind = reason.startsWith("token_") ? "userinfo_token" : undefined;
  await expect(userinfoOf(response)).rejects.toMatchObject({ reason, kind });
});

test.each(["application/json", "application/jose", "application/jwt", "text/plain", ""])(
  "userinfo of the type %j is read as what it is: an object, or a signed token",
  async (type) => {
    const token = quick.sign({ iss: quick.issuer, aud: quickClient.clientID, sub: "ada" });
    expect(await userinfoOf(ofType(type))).toEqual({ sub: "ada" });
    expect(await userinfoOf(ofType(type, token))).toMatchObject({ sub: "ada" });
    expect(await userinfoOf(ofType(type, `${token}\n`))).toMatchObject({ sub: "ada" });
  },
);

test.each([
  [ofType("text/html", "<h1>"), "userinfo of text/html: not a JSON object: it is HTML or XML"],
  [Response.json({ error: "invalid_token" }), "userinfo request: invalid_token"],
  [Response.json({ sub: 7 }), "expected ada, got 7"],
  [Response.json({ sub: null }), "expected ada, got nothing"],
  [
    ofType("application/jwt", "a.b.c.d.e"),
    "it is encrypted (five parts): a signed token has three",
  ],
])("refused userinfo is logged with what came", async (response, detail) => {
  await expect(userinfoOf(response)).rejects.toMatchObject({ detail });
});

test.each([
  [{ email: 7 }, "email is a number"],
  [{ picture: ["https://op.example/ada.png"] }, "picture is a list"],
  [{ name: { given: "Ada" } }, "name is an object"],
  [{ locale: "" }, "locale is an empty text"],
])(
  "a claim of userinfo that cannot be used is absent, with one warning: %j",
  async (claims, fault) => {
    const message = `The provider's userinfo: ${fault}, not a text, and counts as absent.`;
    for (const body of [
      { sub: "ada", ...claims },
      { sub: "ada", ...claims },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await userinfoOf(Response.json(body))).toEqual({ sub: "ada" });
    }
    expect(
      events.filter((each) => each.event === "warning" && each.message === message),
    ).toHaveLength(1);
  },
);

test("what userinfo says of access stays as it came, so that it never counts as absent", async () => {
  const claims = { sub: "ada", email_verified: 0, groups: "staff", roles: { admin: false } };
  expect(await userinfoOf(Response.json(claims))).toEqual(claims);
});

test("the access token is sent as a bearer token (RFC 6750, 2.1)", async () => {
  const recorded = recordedProvider(() => Response.json({ sub: "ada" }));
  await fetchUserinfo(recorded.connection, asked);
  expect(recorded.calls).toMatchObject([{ path: "/userinfo", form: {} }]);
  expect(recorded.calls[0]?.headers.get("authorization")).toBe("Bearer at");
});

test("an access token that fits into no header is not our fault", async () => {
  const recorded = recordedProvider(() => Response.json({ sub: "ada" }));
  const { connection: own, calls } = recorded;
  await expect(fetchUserinfo(own, { ...asked, accessToken: "a\nb" })).rejects.toMatchObject({
    reason: "userinfo_invalid",
    detail: expect.stringMatching(/^userinfo request: ./) as string,
  });
  expect(calls).toEqual([]);
});

test("a provider without the endpoint is not called", async () => {
  const metadata = { userinfo_endpoint: undefined };
  const recorded = recordedProvider(() => Response.json({ sub: "ada" }), { metadata });
  await expect(fetchUserinfo(recorded.connection, asked)).rejects.toMatchObject({
    reason: "userinfo_invalid",
    detail: "the provider has no userinfo endpoint",
  });
  expect(recorded.calls).toEqual([]);
});
