import type { IncomingMessage } from "node:http";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProviderBrowser } from "../../test/browser.ts";
import {
  authorizationRequest,
  clientOf,
  exchange,
  signInAs,
  verifyToken,
} from "../../test/sign-in.ts";
import type { RunningProvider } from "../index.ts";
import { startProvider } from "../index.ts";

const backToApp =
  '<a class="action" href="http://localhost:3000/">Back to <bdi>localhost:3000</bdi></a>';
let provider: RunningProvider;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(() => provider.close());

describe("the sign-in page", () => {
  it("shows a warning against production and lists every sample person by name", async () => {
    const { text: html } = await createProviderBrowser(provider.url).open(
      authorizationRequest(provider).url,
    );
    expect(html).toContain("anyone can sign in here. Not for production.");
    for (const { name } of provider.users) expect(html).toContain(name);
    expect(html).not.toContain("<script");
  });

  it("names the application", async () => {
    const { text: html } = await createProviderBrowser(provider.url).open(
      authorizationRequest(provider).url,
    );
    expect(html).toContain("<title>Sign in to localhost:3000</title>");
    expect(html).toContain("<h1>Sign in to localhost:3000</h1>");
  });

  it("uses the first supported language of the application or the browser", async () => {
    const { url } = authorizationRequest(provider, { ui_locales: "xx ar" });
    const { text: html, headers } = await createProviderBrowser(provider.url).open(url);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain("تسجيل الدخول إلى localhost:3000");
    expect(headers.get("content-language")).toBe("ar");
  });

  it("allows its form to end at the app, also at another origin of this machine", async () => {
    const { headers } = await createProviderBrowser(provider.url).open(
      authorizationRequest(provider).url,
    );
    const policy = headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(
      "form-action 'self' http://localhost:3000 http://localhost:* http://*.localhost:* http://127.0.0.1:*;",
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  it("lists the person of the login hint first", async () => {
    const { url } = authorizationRequest(provider, { login_hint: "Clara@example.org" });
    const { text: html } = await createProviderBrowser(provider.url).open(url);
    const offered = [...html.matchAll(/value="(person-[^"]+)"/gu)].map((match) => match[1]);
    expect(offered[0]).toBe("person-clara");
    expect(offered).toHaveLength(provider.users.length);
    expect(html).toContain("Suggested");
  });

  it("shows the requested organization as text", async () => {
    const { url } = authorizationRequest(provider, { organization: "<b>harbour</b>" });
    const { text: html } = await createProviderBrowser(provider.url).open(url);
    expect(html).toContain("&lt;b&gt;harbour&lt;/b&gt;");
  });

  it("redirects with access_denied and no description when the person cancels", async () => {
    const browser = createProviderBrowser(provider.url);
    const page = await browser.open(authorizationRequest(provider).url);
    const { url } = await browser.press(page, "cancel", "yes");
    expect(url.origin).toBe("http://localhost:3000");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      error: "access_denied",
      state: "the-state",
      iss: provider.issuer,
    });
  });

  it("shows the page again when the form names no known person", async () => {
    const browser = createProviderBrowser(provider.url);
    const page = await browser.open(authorizationRequest(provider).url);
    const answer = await browser.press(page, "person", "person-nobody");
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Choose a sample person");
  });

  it("shows a page with a way back for a sign-in from another browser", async () => {
    const page = await createProviderBrowser(provider.url).open(
      `${provider.url}/interaction/unknown`,
    );
    expect(page.status).toBe(400);
    expect(page.text).toContain("started in another browser");
    expect(page.text).toContain(backToApp);
  });

  it("shows a page with a way back if it cannot redirect to the application", async () => {
    const { url } = authorizationRequest(provider, { redirect_uri: "http://evil.example/" });
    const page = await createProviderBrowser(provider.url).open(url);
    expect(page.status).toBe(400);
    expect(page.text).toContain("invalid_redirect_uri");
    expect(page.text).toContain(backToApp);
    expect(page.text).not.toContain("evil.example");
  });

  it("names the registered redirect URI if a request has another one", async () => {
    const { url } = authorizationRequest(provider, { redirect_uri: "http://localhost:3000/cb" });
    const page = await createProviderBrowser(provider.url).open(url);
    const [registered = ""] = provider.clients[0]?.redirectURIs ?? [];
    expect(page.text).toContain(
      `registered redirect_uris: ${registered}. LATCHKEY_PROVIDER_APP_URL names the app`,
    );
  });

  it.each(["/unknown", "//", "/%"])("shows a page with a way back at %s", async (target) => {
    const { port } = new URL(provider.url);
    const options = { port, path: target, headers: { accept: "text/html" }, agent: false };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(options, resolve).on("error", reject);
    });
    expect(response.statusCode).toBe(404);
    expect(await text(response)).toContain(backToApp);
  });
});

describe("sign-in", () => {
  it("puts the person's claims into the ID token", async () => {
    const session = await signInAs(provider, "person-ada");
    const { claims } = await verifyToken(provider, (await exchange(provider, session)).id_token);
    expect(claims).toMatchObject({
      sub: "person-ada",
      nonce: session.nonce,
      name: "Ada Okafor",
      email: "ada@example.com",
      email_verified: true,
      picture: `${provider.url}/users/person-ada.svg`,
      org_id: "org_harbour",
      org_name: "harbour",
      auth_time: expect.any(Number),
      sid: expect.any(String),
    });
    expect(claims).not.toHaveProperty("remark");
  });

  it("puts the organization into the ID token with the scope openid alone, if the person has one", async () => {
    const withOne = await signInAs(provider, "person-ben", { scope: "openid" });
    const { claims } = await verifyToken(provider, (await exchange(provider, withOne)).id_token);
    expect(claims).toMatchObject({ sub: "person-ben", org_id: "org_harbour" });
    expect(claims).not.toHaveProperty("name");
    const without = await signInAs(provider, "person-dmitri");
    const other = await verifyToken(provider, (await exchange(provider, without)).id_token);
    expect(other.claims).not.toHaveProperty("org_id");
  });

  it("shows its page to a person who is signed in only when prompt requests it", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    const again = await browser.open(authorizationRequest(provider).url);
    expect(again.url.searchParams.has("code")).toBe(true);
    const asked = await browser.open(authorizationRequest(provider, { prompt: "login" }).url);
    expect(asked.text).toContain("Signed in here");
    const chosen = await browser.open(
      authorizationRequest(provider, { prompt: "select_account" }).url,
    );
    expect(chosen.text).toContain("Choose a sample person");
  });

  it("shows its page for prompt=create, as a provider with sign-up does", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    const request = authorizationRequest(provider, { prompt: "create" });
    const asked = await browser.open(request.url);
    expect(asked.text).toContain("Choose a sample person");
    const stop = await browser.press(asked, "person", "person-layla");
    const tokens = await exchange(provider, { stop, verifier: request.verifier });
    const { claims } = await verifyToken(provider, tokens.id_token);
    expect(claims["sub"]).toBe("person-layla");
  });

  it("redirects with login_required for prompt=none without a session", async () => {
    const browser = createProviderBrowser(provider.url);
    const { url } = await browser.open(authorizationRequest(provider, { prompt: "none" }).url);
    expect(url.searchParams.get("error")).toBe("login_required");
  });

  it("shows its page again when the sign-in is older than max_age, and renews auth_time", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const request = authorizationRequest(provider, { max_age: "0" });
    const asked = await browser.open(request.url);
    expect(asked.text).toContain("Choose a sample person");
    const pressedAt = Math.floor(Date.now() / 1000);
    const stop = await browser.press(asked, "person", "person-ada");
    const tokens = await exchange(provider, { stop, verifier: request.verifier });
    const { claims } = await verifyToken(provider, tokens.id_token);
    expect(claims["auth_time"]).toBeGreaterThanOrEqual(pressedAt);
  });

  it("signs another person in without a confirmation", async () => {
    const { browser } = await signInAs(provider, "person-ada");
    const request = authorizationRequest(provider, { prompt: "select_account" });
    const stop = await browser.press(await browser.open(request.url), "person", "person-layla");
    const tokens = await exchange(provider, { stop, verifier: request.verifier });
    const { claims } = await verifyToken(provider, tokens.id_token);
    expect(claims).toMatchObject({ sub: "person-layla", name: "ليلى حداد" });
  });

  it("grants offline access without a page when consent is requested", async () => {
    const session = await signInAs(provider, "person-ada", {
      prompt: "consent",
      scope: "openid offline_access",
    });
    const tokens = await exchange(provider, session);
    expect(tokens.scope).toBe("openid offline_access");
  });

  it("accepts a pushed authorization request", async () => {
    const { url, verifier } = authorizationRequest(provider);
    const { id, secret = "" } = clientOf(provider);
    const pushed = await fetch(new URL("/request", provider.url), {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URL(url).searchParams,
    });
    expect(pushed.status).toBe(201);
    const answer: unknown = await pushed.json();
    expect(answer).toMatchObject({ request_uri: expect.any(String) });
    const requestURI = String(Object(answer).request_uri);
    const browser = createProviderBrowser(provider.url);
    const query = new URLSearchParams({ client_id: id, request_uri: requestURI });
    const page = await browser.open(`${provider.url}/auth?${query.toString()}`);
    const stop = await browser.press(page, "person", "person-emi");
    const { claims } = await verifyToken(
      provider,
      (await exchange(provider, { stop, verifier })).id_token,
    );
    expect(claims).toMatchObject({ sub: "person-emi", email_verified: false });
  });
});
