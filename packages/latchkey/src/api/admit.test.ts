import { afterEach, describe, expect, test, vi } from "vitest";

import { admittedBy, requestTo } from "../../test/api/admitted.ts";
import { type ApiApp, createApiApp, startSeconds } from "../../test/api/api-app.ts";
import { boundToClient, proofFor } from "../../test/api/proof.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import type { AdmittedRequest } from "../host/admitted-request.ts";

afterEach(() => void vi.useRealTimers());

const callerHeaders = [
  ["Cache-Control", "private, no-store"],
  ["Vary", "Authorization, Cookie"],
];

/** A request that the guard admits, with a good token or one of these claims. */
async function admitted(app: ApiApp, claims = {}): Promise<AdmittedRequest> {
  const authorization = `Bearer ${await app.token(claims)}`;
  return admittedBy(app, requestTo("/api/data", { authorization }));
}

/** A request to a public page, whose token does not count. */
const withBadToken = (app: ApiApp): Promise<AdmittedRequest> =>
  admittedBy(app, requestTo("/public/page", { authorization: "Bearer bad" }));

describe("the stream of a caller", () => {
  async function listenTo(request: AdmittedRequest) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const listener = vi.fn<() => void>();
    const forget = await request.onSessionEnd(listener);
    return { listener, forget };
  }

  test("ends in the same moment as the access token of its request", async () => {
    const { listener } = await listenTo(await admitted(await createApiApp()));
    vi.advanceTimersByTime(299_999);
    expect(listener).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("ends at once if the access token has ended since, and counts by tolerance alone", async () => {
    const app = await createApiApp();
    app.clock.seconds = 310;
    const { listener } = await listenTo(await admitted(app));
    vi.advanceTimersByTime(1);
    expect(listener).toHaveBeenCalledOnce();
  });

  test("does not end at once if the access token ends beyond the range of timers", async () => {
    const exp = startSeconds + 100 * 86_400;
    const { listener } = await listenTo(await admitted(await createApiApp(), { exp }));
    vi.advanceTimersByTime(86_400_000);
    expect(listener).not.toHaveBeenCalled();
  });

  test("that was closed before its access token ends is not called back", async () => {
    const { listener, forget } = await listenTo(await admitted(await createApiApp()));
    forget();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(300_000);
    expect(listener).not.toHaveBeenCalled();
  });

  test("whose access token does not count waits for no end", async () => {
    const { listener, forget } = await listenTo(await withBadToken(await createApiApp()));
    expect(vi.getTimerCount()).toBe(0);
    forget();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe("a request with an access token", () => {
  test("has a response without cookies that no shared cache keeps, whether the token counts or not", async () => {
    const app = await createApiApp();
    expect((await admitted(app)).commit()).toEqual(callerHeaders);
    expect((await withBadToken(app)).commit()).toEqual(callerHeaders);
  });

  test("has the next nonce for proofs in its response when it is due", async () => {
    const app = await createApiApp({ dpop: { nonce: true } });
    const token = await app.token(await boundToClient());
    const headersWith = async (claims = {}) => ({
      authorization: `DPoP ${token}`,
      dpop: await proofFor(token, { claims }),
    });
    const refused = await app.call({ headers: await headersWith() });
    const nonce = refused.headers.get("dpop-nonce");
    app.clock.seconds = 120;
    const headers = await headersWith({ nonce, iat: startSeconds + 120 });
    const { commit } = await admittedBy(app, requestTo("/api/data", headers));
    const next: unknown = expect.stringMatching(/^[\w-]{43}$/);
    expect(commit()).toEqual([...callerHeaders, ["DPoP-Nonce", next]]);
  });

  test("carries no session, also with the cookie of one", async () => {
    const app = await createApiApp();
    const authorization = `Bearer ${await app.token()}`;
    const headers = { authorization, cookie: await app.cookie() };
    expect(await (await admittedBy(app, requestTo("/page", headers))).carriesSession()).toBe(false);
  });

  test("is led to no page by a refusal", async () => {
    expect((await admitted(await createApiApp())).leadOf(new SignInRequired())).toBeNull();
  });

  test("calls back what require() refuses, and throws it without a listener too", async () => {
    const { auth, onRefused } = await admitted(await createApiApp());
    const ask = () => auth.require({ scope: "admin" });
    expect(ask).toThrow("The user may not do this.");
    const listener = vi.fn<(error: unknown) => void>();
    onRefused(listener);
    expect(ask).toThrow("The user may not do this.");
    expect(listener.mock.calls).toEqual([[expect.objectContaining({ code: "ERR_FORBIDDEN" })]]);
  });

  test("gets our response to our own errors, and none to those of the app", async () => {
    const { recover } = await admitted(await createApiApp());
    expect(await recover(new SignInRequired())).toMatchObject({ status: 401 });
    expect(recover(new Error("of the app"))).toBeNull();
  });
});

describe("a request that the app guards itself", () => {
  const unguarded = async (app: ApiApp, headers: Readonly<Record<string, string>>, path = "/x") =>
    app.auth.host.receiveUnguarded(requestTo(path, headers));

  test("with a good token counts by it, and not by its cookie", async () => {
    const app = await createApiApp();
    const authorization = `Bearer ${await app.token()}`;
    const { auth } = await unguarded(app, { authorization, cookie: await app.cookie() });
    expect([auth.user?.sub, auth.credential]).toEqual(["ada", "access_token"]);
  });

  test("with a bad token does not count by its cookie, and gets 401 when it requires a caller", async () => {
    const app = await createApiApp();
    const headers = { authorization: "Bearer bad", cookie: await app.cookie() };
    const { auth, recover } = await unguarded(app, headers);
    expect([auth.user, auth.session, auth.credential]).toEqual([null, null, null]);
    const response = await (async () => auth.require())().catch(recover);
    expect(response).toMatchObject({ status: 401 });
    expect(JSON.stringify(response)).toContain("invalid_token");
  });

  test("with a token that cannot be checked now gets 503 when it requires a caller", async () => {
    const app = await createApiApp();
    app.issuer.answers.set("/keys", () => new Response(null, { status: 500 }));
    const { auth, recover } = await unguarded(app, {
      authorization: `Bearer ${await app.token()}`,
    });
    expect(auth.user).toBeNull();
    expect(await (async () => auth.require())().catch(recover)).toMatchObject({ status: 503 });
  });

  test("names the scopes of the handler alone, without rules of a path", async () => {
    const app = await createApiApp({}, { accessRules: { "/x": { scope: "list" } } });
    const { auth, recover } = await unguarded(app, {
      authorization: `Bearer ${await app.token()}`,
    });
    const response = await (async () => auth.require({ scope: "admin" }))().catch(recover);
    expect(response).toMatchObject({ body: expect.stringContaining('"scope":"admin"') });
  });

  test("without a token counts by its cookie", async () => {
    const app = await createApiApp();
    const { auth } = await unguarded(app, { cookie: await app.cookie() });
    expect([auth.user?.sub, auth.credential]).toEqual(["cookie-user", "session"]);
  });

  test("may use the proof that the guard has seen, once", async () => {
    const app = await createApiApp();
    const token = await app.token(await boundToClient());
    const headers = { authorization: `DPoP ${token}`, dpop: await proofFor(token) };
    await admittedBy(app, requestTo("/api/data", headers));
    expect((await unguarded(app, headers, "/api/data")).auth.user?.sub).toBe("ada");
    expect((await unguarded(app, headers, "/api/data")).auth.user).toBeNull();
  });
});
