import { afterEach, describe, expect, it } from "vitest";
import type { Tokens } from "../../test/sign-in.ts";
import { exchange, signInAs, tokenRequest, tokensOf, verifyToken } from "../../test/sign-in.ts";
import type { ProviderSettings, RunningProvider } from "../index.ts";
import { startProvider } from "../index.ts";

let provider: RunningProvider;

afterEach(() => provider.close());

async function signIn(settings: ProviderSettings = {}): Promise<Tokens> {
  provider = await startProvider(settings);
  return exchange(provider, await signInAs(provider, "person-ada"));
}

async function refresh({ refresh_token: token = "" }: Tokens): Promise<Tokens> {
  const form = { grant_type: "refresh_token", refresh_token: token };
  return tokensOf(await tokenRequest(provider, form));
}

async function userinfoStatus({ access_token: token = "" }: Tokens): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` };
  return (await fetch(`${provider.url}/me`, { headers })).status;
}

describe("refresh token rotation", () => {
  it("replaces the refresh token at each use by default", async () => {
    const tokens = await signIn();
    const first = await refresh(tokens);
    const second = await refresh(first);
    expect(new Set([tokens, first, second].map((each) => each.refresh_token)).size).toBe(3);
    const { claims } = await verifyToken(provider, second.id_token);
    expect(claims.sub).toBe("person-ada");
  });

  it("revokes every token of the sign-in when a refresh token is used twice", async () => {
    const tokens = await signIn({ refreshTokenRotation: true });
    const first = await refresh(tokens);
    expect(await userinfoStatus(first)).toBe(200);
    expect(await refresh(tokens)).toMatchObject({ error: "invalid_grant" });
    expect(await refresh(first)).toMatchObject({ error: "invalid_grant" });
    expect(await userinfoStatus(first)).toBe(401);
  });

  it("accepts one of several simultaneous uses and then revokes its refresh token too", async () => {
    const tokens = await signIn();
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(tokens)));
    const accepted = responses.filter(({ error }) => error === undefined);
    expect(accepted).toHaveLength(1);
    expect(await refresh(accepted[0] ?? {})).toMatchObject({ error: "invalid_grant" });
  });

  it("leaves other sign-ins of the person alone", async () => {
    const tokens = await signIn();
    const other = await exchange(provider, await signInAs(provider, "person-ada"));
    await refresh(tokens);
    await refresh(tokens);
    expect((await refresh(other)).error).toBeUndefined();
  });

  it("keeps the refresh token when rotation is off", async () => {
    const tokens = await signIn({ refreshTokenRotation: false });
    const first = await refresh(tokens);
    expect(first.refresh_token).toBe(tokens.refresh_token);
    expect((await refresh(tokens)).error).toBeUndefined();
  });
});
