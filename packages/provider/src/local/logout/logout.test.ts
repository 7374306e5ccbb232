import type { IncomingMessage, ServerResponse } from "node:http";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  authorizationRequest,
  exchange,
  signInAs,
  tokenRequest,
  tokensOf,
  verifyToken,
} from "../../../test/sign-in.ts";
import type { LoopbackServer } from "../../http/loopback-server.ts";
import { startLoopbackServer } from "../../http/loopback-server.ts";
import { readBody } from "../../http/request-body.ts";
import type { RunningProvider } from "../../index.ts";
import { startProvider } from "../../index.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";
let provider: RunningProvider;
let app: LoopbackServer;
let appURL: string;
const received: string[] = [];

/** Stands for the application: it takes logout tokens and nothing else. */
async function takeLogoutToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
  received.push(new URLSearchParams(await readBody(request)).get("logout_token") ?? "");
  response.writeHead(204).end();
}

beforeAll(async () => {
  app = await startLoopbackServer((request, response) => void takeLogoutToken(request, response));
  appURL = app.origin;
  provider = await startProvider({ appURL });
});

afterAll(async () => {
  await provider.close();
  await app.close();
});

beforeEach(() => void received.splice(0));

describe("the end session endpoint", () => {
  it("redirects to the application in one step, without a page", async () => {
    const { browser, ...session } = await signInAs(provider, "person-ada");
    const { id_token: hint = "" } = await exchange(provider, session);
    const query = new URLSearchParams({
      id_token_hint: hint,
      post_logout_redirect_uri: `${appURL}/_auth/signed-out`,
      state: "after",
    });
    const stop = await browser.open(`${provider.url}/session/end?${query.toString()}`);
    expect(stop.url.href).toBe(`${appURL}/_auth/signed-out?state=after`);
    const next = await browser.open(authorizationRequest(provider).url);
    expect(next.text).toContain("Choose a sample person");
  });

  it("sends the application a logout token with its sid", async () => {
    const { browser, ...session } = await signInAs(provider, "person-ada");
    const { claims } = await verifyToken(provider, (await exchange(provider, session)).id_token);
    await browser.open(`${provider.url}/session/end`);
    expect(received).toHaveLength(1);
    const token = await verifyToken(provider, received[0]);
    expect(token.header.typ).toBe("logout+jwt");
    expect(token.claims).toMatchObject({
      sub: "person-ada",
      sid: claims["sid"],
      events: { [logoutEvent]: {} },
    });
  });

  it("shows a signed-out page with a way back when the request names no address to return to", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    const stop = await browser.open(`${provider.url}/session/end`);
    expect(stop.text).toContain("Nobody is signed in");
    expect(stop.text).toContain(`<a class="action" href="${appURL}/">`);
  });

  it("redirects to the application also without a session", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    await browser.open(`${provider.url}/session/end`);
    const query = `client_id=latchkey&post_logout_redirect_uri=${encodeURIComponent(appURL)}`;
    const stop = await browser.open(`${provider.url}/session/end?${query}`);
    expect(stop.url.origin).toBe(appURL);
  });

  it("rejects a redirect URI of another application", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    const query = "client_id=latchkey&post_logout_redirect_uri=http%3A%2F%2Fevil.example";
    const stop = await browser.open(`${provider.url}/session/end?${query}`);
    expect(stop.status).toBe(400);
    expect(stop.text).toContain("post_logout_redirect_uri not registered");
  });
});

describe("front-channel logout", () => {
  it("shows a page with a frame for issuer and session, and continues", async () => {
    const frontchannelLogoutURI = `${appURL}/api/auth/frontchannel-logout`;
    const other = await startProvider({ appURL, client: { frontchannelLogoutURI } });
    try {
      const { browser, ...session } = await signInAs(other, "person-ada");
      const { claims } = await verifyToken(other, (await exchange(other, session)).id_token);
      const stop = await browser.open(`${other.url}/session/end`);
      const [, address = ""] = /<iframe src="([^"]+)"/u.exec(stop.text) ?? [];
      const frame = new URL(address.replaceAll("&amp;", "&"));
      expect(frame.origin + frame.pathname).toBe(frontchannelLogoutURI);
      expect(Object.fromEntries(frame.searchParams)).toEqual({
        iss: other.issuer,
        sid: claims["sid"],
      });
      expect(stop.headers.get("content-security-policy")).toContain(`frame-src ${appURL}`);
      const next = /url=(.*)$/u.exec(stop.headers.get("refresh") ?? "")?.[1];
      expect((await browser.open(next ?? "")).text).toContain("Nobody is signed in");
    } finally {
      await other.close();
    }
  });
});

describe("backchannelLogout", () => {
  it.each([{ sub: "person-ada" }, { sid: "some-sid" }, { sub: "person-ada", sid: "some-sid" }])(
    "sends a logout token with exactly %o",
    async (subject) => {
      const deliveries = await provider.backchannelLogout(subject);
      expect(deliveries).toEqual([{ clientID: "latchkey", ...subject, status: 204 }]);
      await verifyToken(provider, received[0]);
      const { sub, sid } = decodeJwt(received[0] ?? "");
      expect(JSON.parse(JSON.stringify({ sub, sid }))).toEqual(subject);
    },
  );
});

describe("endSessions", () => {
  it("revokes the refresh tokens", async () => {
    const tokens = await exchange(provider, await signInAs(provider, "person-emi"));
    await provider.endSessions();
    const answer = await tokenRequest(provider, {
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token ?? "",
    });
    expect(await tokensOf(answer)).toMatchObject({ error: "invalid_grant" });
  });

  it("ends the sessions of one person only and sends the application a logout token", async () => {
    const ada = await signInAs(provider, "person-ada");
    const ben = await signInAs(provider, "person-ben");
    const { claims } = await verifyToken(provider, (await exchange(provider, ben)).id_token);
    expect(await provider.endSessions("person-ben")).toEqual([
      { clientID: "latchkey", sub: "person-ben", sid: claims["sid"], status: 204 },
    ]);
    expect(provider.sessions().some(({ sub }) => sub === "person-ben")).toBe(false);
    const stillIn = await ada.browser.open(authorizationRequest(provider).url);
    expect(stillIn.url.searchParams.has("code")).toBe(true);
    const out = await ben.browser.open(authorizationRequest(provider).url);
    expect(out.text).toContain("Choose a sample person");
  });
});
