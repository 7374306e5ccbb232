import { describe, expect, test } from "vitest";

import { createQuickApp } from "../../test/worlds/quick-app.ts";
import type { Options } from "../host/auth.ts";
import { leftHalfHash } from "../oidc/tokens/token-hash.ts";

/** What the provider says of the person, here and there. */
interface Said {
  /** Claims of the front-channel ID token. */
  readonly front?: object;
  /** In the ID token of the token response. */
  readonly back?: object;
  readonly userinfo?: object;
}

/** Signs in with these claims. Returns the reason without a session, `null` with one. */
async function refusalOf(options: Partial<Options>, said: Said): Promise<string | null> {
  const { provider, begin, ask, events } = createQuickApp(options);
  const { jar, nonce, state, code } = await begin();
  const claims = provider.goodClaims(nonce);
  provider.answers.token = (good) =>
    Response.json({ ...good, id_token: provider.sign({ ...claims, ...said.back }) });
  provider.answers.userinfo = () => Response.json({ sub: claims["sub"], ...said.userinfo });
  const front = { ...claims, c_hash: leftHalfHash(code, "HS256"), ...said.front };
  const isHybrid = options.responseType === "code id_token";
  const body = new URLSearchParams({
    code,
    state,
    ...(isHybrid ? { id_token: provider.sign(front) } : {}),
  });
  await (isHybrid
    ? ask("/api/auth/callback", { method: "POST", jar, body, headers: formType })
    : ask(`/api/auth/callback?${body.toString()}`, { jar }));
  if (events.some(({ event }) => event === "sign-in")) return null;
  const refusal = events.find((event) => event.event === "refusal");
  return refusal?.reason ?? "no reason";
}

const formType = { "content-type": "application/x-www-form-urlencoded" };

describe("two ID tokens of the hybrid flow (OpenID Connect Core 3.3.3.6)", () => {
  const hybrid = { responseType: "code id_token", baseURL: "https://app.example" } as const;

  test("are accepted for one user", async () => {
    expect(await refusalOf(hybrid, {})).toBeNull();
  });

  test("are rejected for two users", async () => {
    expect(await refusalOf(hybrid, { back: { sub: "bob" } })).toBe("token_subject_changed");
    expect(await refusalOf(hybrid, { front: { sub: "bob" } })).toBe("token_subject_changed");
  });
});

describe("the required organization of an app", () => {
  const ours = { org_id: "org_ours" };
  const app = { organization: "org_ours", userinfo: "always" } as const;

  test("admits its members", async () => {
    expect(await refusalOf(app, { back: ours })).toBeNull();
  });

  test("is compared with the ID token rather than userinfo", async () => {
    const userinfo = { org_id: "org_other" };
    expect(await refusalOf(app, { back: ours, userinfo })).toBeNull();
  });

  test.each<[string, Said]>([
    ["of another", { back: { org_id: "org_other" } }],
    ["of none", {}],
    ["whose membership only userinfo tells, which nobody has signed", { userinfo: ours }],
  ])("does not admit a user %s", async (_, said) => {
    expect(await refusalOf(app, said)).toBe("organization_mismatch");
  });
});

test("a callback rejects an access token with a hash other than that in its ID token (OpenID Connect Core 3.1.3.8)", async () => {
  const back = { at_hash: leftHalfHash("another access token", "HS256") };
  expect(await refusalOf({}, { back })).toBe("token_hash");
});
