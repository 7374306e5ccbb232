import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { token, twoInstances } from "../../test/refresh/two-instances.ts";
import type { AccessTokenRequest } from "./access-token-request.ts";
import type { RequestAuth } from "../host/request-auth.ts";

const failed = (here: RequestAuth, request: AccessTokenRequest = {}) =>
  here.accessToken(request).catch((error: unknown) => error);

const errorBody = (error: string, status: number) => () => Response.json({ error }, { status });
const busy = () => new Response(null, { status: 503 });

describe.each([
  ["in a cookie", { store: undefined }],
  ["in the store", {}],
])("a refresh token %s", (_, settings) => {
  /** A world whose token endpoint responds with a fault until it is mended. */
  async function faulty(fault: () => Response) {
    const state = { isMended: false };
    const world = await twoInstances({
      settings,
      onCall: async (input, send) =>
        input.endsWith("/token") && !state.isMended ? fault() : send(),
    });
    return { ...world, mend: () => void (state.isMended = true) };
  }

  test.each([
    ["an outage", busy, { needsSignIn: false, retryAfterSeconds: 1 }],
    ["a refused client", errorBody("invalid_client", 401), { needsSignIn: false }],
    ["a refused user", errorBody("access_denied", 400), { needsSignIn: true }],
    ["a wanted interaction", errorBody("interaction_required", 400), { needsSignIn: true }],
  ])("stays after %s, and the next request sends it again", async (_name, fault, error) => {
    const { one, signIn, mend } = await faulty(fault);
    const { jar, family } = await signIn(-5);
    const { made } = await askWith(one, jar, failed);
    expect(made).toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT", ...error });
    mend();
    expect((await askWith(one, jar, token)).made).toBe("at.2.1");
    expect(family.uses).toEqual([1]);
  });

  test("gives way to the access token at hand while the provider has an outage", async () => {
    const { one, signIn, outcomes } = await faulty(busy);
    const { jar } = await signIn(50);
    expect((await askWith(one, jar, token)).made).toBe("at.2.0");
    expect(outcomes()).toEqual(["transient"]);
    const forced = await askWith(one, jar, (here) => failed(here, { refresh: true }));
    expect(forced.made).toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT", needsSignIn: false });
  });

  test("is not sent if the metadata of the provider cannot be loaded", async () => {
    const sent: string[] = [];
    const { one, signIn } = await twoInstances({
      settings,
      onCall: async (input) => {
        sent.push(new URL(input).pathname);
        return busy();
      },
    });
    const { jar, family } = await signIn(-5);
    const { made } = await askWith(one, jar, failed);
    expect(made).toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT", retryAfterSeconds: 1 });
    expect(sent.filter((each) => each.endsWith("/token"))).toEqual([]);
    expect(family.uses).toEqual([]);
  });

  test("is not sent if the clock of this server is wrong", async () => {
    let sent = 0;
    const { one, signIn } = await twoInstances({
      settings,
      async onCall(input, send) {
        if (input.endsWith("/token")) sent += 1;
        const { body, headers } = await send();
        const named = { ...Object.fromEntries(headers), date: "Thu, 01 Jan 2026 01:00:00 GMT" };
        return new Response(body, { headers: named });
      },
    });
    const { jar } = await signIn(-5);
    const { made } = await askWith(one, jar, failed);
    expect(made).toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT", retryAfterSeconds: 1 });
    expect(String(made)).toContain("The clock of this server is 3600 s behind");
    expect(sent).toBe(0);
  });

  test("that the provider has refused is not sent again, and only a new sign-in helps", async () => {
    let sent = 0;
    const { one, signIn, outcomes } = await twoInstances({
      settings,
      onCall: async (input, send) => {
        if (input.endsWith("/token")) sent += 1;
        return send();
      },
    });
    const { jar, family } = await signIn(-5);
    family.isRevoked = true;
    const first = await askWith(one, jar, failed);
    expect(first.made).toMatchObject({ code: "ERR_FAILED_REFRESH_GRANT", needsSignIn: true });
    const late = await askWith(one, jar, failed);
    expect(late.made).toMatchObject({ needsSignIn: true });
    expect(new Set(outcomes())).toEqual(new Set(["refused"]));
    expect(sent).toBe(1);
  });
});
