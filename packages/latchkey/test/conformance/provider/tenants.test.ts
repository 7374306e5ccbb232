import { type Behavior, behaviorOfTenant } from "@latchkey/provider/hostile";
import { describe, expect, test } from "vitest";

import { signIn } from "../world/attempt.ts";
import { startHostileWorld } from "../world/hostile-world.ts";

const own = "8b1a9953-c461-4290-a4b0-9c8f0e1d2a3b";
const other = "11111111-2222-4333-8444-555555555555";

const world = await startHostileWorld({ issuerPath: "/common/v2.0" });
const issuerOf = (tenant: string) => `${world.provider.url}/${tenant}/v2.0`;

const tenants = [own];

/** Returns the status of the callback, and the reason of a refusal. */
async function signInAt(
  conduct: Behavior | readonly Behavior[],
  options: Partial<(typeof world)["defaults"]> = { tenants },
) {
  const before = world.events.length;
  world.setUp({ conduct, options: { userinfo: "never", ...options } });
  const { callback, login, browser } = await signIn(world);
  const refusal = world.events.slice(before).find((each) => each.event === "refusal");
  const { status } = callback?.answer ?? login;
  return { status, reason: refusal?.reason, detail: refusal?.detail, browser };
}

/** Changes claims after the tenant's are there. */
function withClaims(claims: Readonly<Record<string, unknown>>): readonly Behavior[] {
  return [behaviorOfTenant(own), { idToken: { claims: (good) => ({ ...good, ...claims }) } }];
}

describe("an address of many tenants, as Entra ID has it", () => {
  test("signs in a user of a listed tenant, whose session lasts", async () => {
    const { status, browser } = await signInAt(behaviorOfTenant(own));
    expect(status).toBe(302);
    const me = await browser.request("/api/auth/me");
    expect(JSON.parse(me.text)).toMatchObject({ tid: own });
  });

  test("finds a listed tenant whatever the case of its letters", async () => {
    const options = { tenants: [own.toUpperCase()] };
    expect((await signInAt(behaviorOfTenant(own), options)).status).toBe(302);
  });

  test("signs in a user of any tenant if the settings say so", async () => {
    const options = { tenants: ["any"] };
    expect((await signInAt(behaviorOfTenant(other), options)).status).toBe(302);
  });

  test.each(["code id_token", "id_token"] as const)(
    "signs in with response type %s",
    async (responseType) => {
      const options = { tenants, responseType };
      expect([302, 303]).toContain((await signInAt(behaviorOfTenant(own), options)).status);
    },
  );

  test("refuses a user of another tenant with status 403 and the way to another account", async () => {
    const { status, reason, detail } = await signInAt(behaviorOfTenant(other));
    expect([status, reason]).toEqual([403, "tenant_not_admitted"]);
    expect(detail).toBe(`tenant ${other}; check LATCHKEY_TENANTS`);
    expect(world.problems.at(-1)).toMatchObject({ kind: "sign-in-refused" });
  });

  test("fails at login without the setting, with the two remedies in the log", async () => {
    const { status, reason, detail } = await signInAt(behaviorOfTenant(own), {});
    expect([status, reason]).toEqual([500, "issuer_mismatch"]);
    expect(detail).toContain("configure the address of your tenant, or set LATCHKEY_TENANTS");
  });
});

describe("a token of many tenants is refused", () => {
  test.each([
    ["names another tenant in iss than in tid", { iss: issuerOf(other) }],
    ["names another tenant in tid than in iss", { tid: other }],
    ["has no tid", { tid: undefined }],
    ["has no tid and the issuer of the metadata", { tid: undefined, iss: issuerOf("{tenantid}") }],
    ["has the placeholder as its tenant", { tid: "{tenantid}", iss: issuerOf("{tenantid}") }],
    ["has the configured address as its issuer", { iss: issuerOf("common") }],
    ["has a path as its tenant", { tid: `${own}/x`, iss: issuerOf(`${own}/x`) }],
    ["has a list of tenants", { tid: [own] }],
  ])("if it %s", async (_, claims) => {
    const { status, reason } = await signInAt(withClaims(claims));
    expect([status, reason]).toEqual([
      400,
      expect.stringMatching(/^token_(?:issuer|key_unknown)$/),
    ]);
  });

  test.each([
    ["code", {}],
    ["ID token", { responseType: "id_token" }],
  ] as const)("if the authorization response with a %s names another tenant", async (_, more) => {
    const { status, reason } = await signInAt(
      [
        behaviorOfTenant(own),
        {
          authorizationResponse: (parameters) =>
            parameters.map(([name, value]) => [name, name === "iss" ? issuerOf(other) : value]),
        },
      ],
      { tenants: [own, other], ...more },
    );
    expect([status, reason]).toEqual([400, "response_iss_mismatch"]);
  });
});

describe("a key with an issuer", () => {
  const keysOf = (issuer: unknown): readonly Behavior[] => [
    behaviorOfTenant(own),
    { keySet: (keys) => keys.map((key) => ({ ...key, issuer })) },
  ];

  test("verifies tokens of that tenant", async () => {
    expect((await signInAt(keysOf(issuerOf(own)))).status).toBe(302);
  });

  test.each([issuerOf(other), "https://elsewhere.example/{tenantid}/v2.0", "", 7])(
    "verifies no other token: %s",
    async (issuer) => {
      const { status, reason } = await signInAt(keysOf(issuer));
      expect([status, reason]).toEqual([400, "token_key_unknown"]);
    },
  );

  test("is limited to it with one tenant, too", async () => {
    const keySet: Behavior["keySet"] = (keys) =>
      keys.map((key) => ({ ...key, issuer: issuerOf(other) }));
    expect((await signInAt({ keySet }, {})).reason).toBe("token_key_unknown");
  });
});

describe("metadata of many tenants are refused", () => {
  test.each([
    ["https://elsewhere.example/{tenantid}/v2.0"],
    [`${world.provider.url}/{tenantid}/v1.0`],
    [`${world.provider.url}/{tenantid}/{tenantid}/v2.0`],
    [`${world.provider.url}/x{tenantid}/v2.0`],
    ["http://{tenantid}/v2.0"],
    [issuerOf(own)],
  ])("with the issuer %s", async (issuer) => {
    const { status, reason } = await signInAt([
      behaviorOfTenant(own),
      { metadata: (metadata) => ({ ...metadata, issuer }) },
    ]);
    expect([status, reason]).toEqual([500, "issuer_mismatch"]);
  });
});

describe("a logout token", () => {
  async function logOut(
    claims: Readonly<Record<string, unknown>>,
    conduct = behaviorOfTenant(own),
  ) {
    const { browser } = await signInAt(behaviorOfTenant(own));
    world.provider.behave([
      conduct,
      { logoutToken: { claims: (good) => ({ ...good, ...claims }) } },
    ]);
    const body = new URLSearchParams({ logout_token: world.provider.mintLogoutToken() });
    const { status } = await browser.request("/api/auth/backchannel-logout", {
      method: "POST",
      body,
    });
    return [status, (await browser.request("/api/auth/me")).status];
  }

  test("of the tenant ends the session", async () => {
    expect(await logOut({})).toEqual([204, 204]);
  });

  test("of a tenant that is not listed ends nothing", async () => {
    expect(await logOut({}, behaviorOfTenant(other))).toEqual([400, 200]);
  });

  test("whose iss and tid differ ends nothing", async () => {
    expect(await logOut({ iss: issuerOf(other) })).toEqual([400, 200]);
    expect(await logOut({ tid: other })).toEqual([400, 200]);
  });
});

test("a refresh that brings an ID token of another tenant keeps the session as it was", async () => {
  const conduct = [
    behaviorOfTenant(own),
    {
      idToken: {
        claims: (claims, { at }) =>
          at === "refresh" ? { ...claims, tid: other, iss: issuerOf(other) } : claims,
      },
    },
  ] satisfies readonly Behavior[];
  world.setUp({
    conduct,
    options: { tenants: ["any"], scope: "openid offline_access" },
    page: async (request, auth) => {
      const refreshed = auth.of(request).accessToken({ refresh: true });
      return Response.json(await refreshed.catch(({ code }: { code: string }) => code));
    },
  });
  const { browser } = await signIn(world);
  const before = (await browser.request("/api/auth/me")).text;
  expect((await browser.request("/refreshed")).text).toBe('"ERR_FAILED_REFRESH_GRANT"');
  expect((await browser.request("/api/auth/me")).text).toBe(before);
});

describe("issuers named beside a token", () => {
  test("a login started by the provider may name a listed tenant, and no other", async () => {
    world.setUp({ conduct: behaviorOfTenant(own), options: { tenants } });
    const statusFor = async (iss: string) => {
      const query = new URLSearchParams({ iss }).toString();
      return (await world.browser().request(`/api/auth/login?${query}`)).status;
    };
    expect(await statusFor(issuerOf(own))).toBe(302);
    expect(await statusFor(world.provider.issuer)).toBe(302);
    expect(await statusFor(issuerOf(other))).toBe(400);
    expect(await statusFor("https://elsewhere.example")).toBe(400);
  });

  test("a frame that names a listed tenant ends the session, and no other", async () => {
    const { browser } = await signInAt(behaviorOfTenant(own), {
      tenants,
      frontchannelLogout: true,
    });
    const me = await browser.request("/api/auth/me");
    const { sid } = JSON.parse(me.text) as { sid: string };
    const frame = async (iss: string) => {
      const query = new URLSearchParams({ iss, sid }).toString();
      await browser.request(`/api/auth/frontchannel-logout?${query}`);
      return (await browser.request("/api/auth/me")).status;
    };
    expect(await frame(issuerOf(other))).toBe(200);
    expect(await frame(issuerOf(own))).toBe(204);
  });
});
