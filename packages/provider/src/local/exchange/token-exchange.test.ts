import { afterEach, describe, expect, it } from "vitest";
import {
  apiToken,
  createProver,
  membersOf,
  notes,
  readAccessToken,
} from "../../../test/api-tokens.ts";
import { tokenRequest } from "../../../test/sign-in.ts";
import type { ClientSettings, ProviderSettings, RunningProvider } from "../../index.ts";
import { startProvider } from "../../index.ts";

const mail = {
  identifier: "https://mail.example/api",
  audience: "mail-audience",
  scopes: ["mail.read", "mail.send"],
};

const notesService: ClientSettings = {
  id: "notes-service",
  secret: "a-secret-of-the-notes-service-for-tests",
  redirectURIs: ["http://localhost:3000/unused"],
  tokenExchange: true,
};

let running: RunningProvider | undefined;

async function start(settings: ProviderSettings = {}): Promise<RunningProvider> {
  running = await startProvider({
    appURL: "http://localhost:3000",
    client: { tokenExchange: true },
    resources: [notes, mail],
    ...settings,
  });
  return running;
}

afterEach(() => running?.close());

const accessToken = "urn:ietf:params:oauth:token-type:access_token";

function exchangeForm(subjectToken: string, changes: Record<string, string> = {}) {
  return {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: subjectToken,
    subject_token_type: accessToken,
    audience: mail.audience,
    scope: "mail.read",
    ...changes,
  };
}

function onBehalfOfForm(assertion: string, changes: Record<string, string> = {}) {
  return {
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
    requested_token_use: "on_behalf_of",
    scope: `${mail.identifier}/mail.read`,
    ...changes,
  };
}

describe("token exchange", () => {
  it.each([
    ["audience", { audience: mail.audience }],
    ["resource", { audience: "", resource: mail.identifier }],
  ])("gives a token for the API that `%s` names, for the same user", async (_name, changes) => {
    const provider = await start();
    const subject = await apiToken(provider, notes.identifier);
    const answer = await membersOf(await tokenRequest(provider, exchangeForm(subject, changes)));
    expect(answer).toMatchObject({ issued_token_type: accessToken, token_type: "Bearer" });
    expect((await readAccessToken(provider, answer["access_token"])).claims).toMatchObject({
      aud: mail.audience,
      sub: "person-ada",
      scope: "mail.read",
      client_id: "latchkey",
    });
  });

  it("takes an opaque token as its subject", async () => {
    const provider = await start({ resources: [{ ...notes, tokenFormat: "opaque" }, mail] });
    const subject = await apiToken(provider, notes.identifier);
    const response = await tokenRequest(provider, exchangeForm(subject));
    expect(await response.json()).toMatchObject({ scope: "mail.read" });
  });

  it("gives a token that ends with its subject", async () => {
    const provider = await start();
    const subject = await apiToken(provider, notes.identifier);
    const answer = await membersOf(await tokenRequest(provider, exchangeForm(subject)));
    const [end, limit] = await Promise.all(
      [answer["access_token"], subject].map(
        async (token) => (await readAccessToken(provider, token)).claims.exp ?? 0,
      ),
    );
    expect(end).toBeLessThanOrEqual(limit ?? 0);
    expect(answer["expires_in"]).toBeGreaterThan(3590);
  });

  it.each([
    ["an unknown API", { audience: "nobody" }, "invalid_target"],
    ["no API", { audience: "" }, "invalid_target"],
    ["a scope that the API lacks", { scope: "notes:read" }, "invalid_scope"],
    ["an unknown subject token", { subject_token: "unknown" }, "invalid_grant"],
    ["a forged subject token", { subject_token: "e30.e30.e30" }, "invalid_grant"],
    ["an ID token as its subject", { subject_token_type: `${accessToken}x` }, "invalid_request"],
    ["a refresh token", { requested_token_type: `${accessToken}x` }, "invalid_request"],
    ["an actor", { actor_token: "a", actor_token_type: accessToken }, "invalid_request"],
  ])("is refused for %s", async (_name, changes, error) => {
    const provider = await start();
    const subject = await apiToken(provider, notes.identifier);
    const response = await tokenRequest(provider, exchangeForm(subject, changes));
    expect([response.status, (await membersOf(response))["error"]]).toEqual([400, error]);
  });

  it("is refused for a client without `tokenExchange`", async () => {
    const provider = await start({ client: {}, clients: [notesService] });
    const subject = await apiToken(provider, notes.identifier);
    const response = await tokenRequest(provider, exchangeForm(subject));
    expect(await response.json()).toMatchObject({ error: "invalid_request" });
  });

  it("is unknown to a provider if no client may use it", async () => {
    const provider = await start({ client: {} });
    const response = await tokenRequest(provider, exchangeForm("unknown"));
    expect(await response.json()).toMatchObject({ error: "unsupported_grant_type" });
  });

  it("is refused if the subject token was issued for another client", async () => {
    const provider = await start({ clients: [notesService] });
    const subject = await apiToken(provider, notes.identifier);
    const client = notesService;
    const response = await tokenRequest(provider, exchangeForm(subject), { client });
    expect(await response.json()).toMatchObject({ error: "invalid_grant" });
  });

  it("lets the client of an API exchange the tokens of its callers", async () => {
    const resources = [{ ...notes, exchangedBy: notesService.id }, mail];
    const provider = await start({ clients: [notesService], resources });
    const subject = await apiToken(provider, notes.identifier);
    const client = notesService;
    const answer = await membersOf(await tokenRequest(provider, exchangeForm(subject), { client }));
    const { claims } = await readAccessToken(provider, answer["access_token"]);
    expect(claims).toMatchObject({ client_id: notesService.id, sub: "person-ada" });
  });

  it("needs a proof with the key of a subject token that is bound", async () => {
    const provider = await start();
    const [prove, proveOther] = [await createProver(provider), await createProver(provider)];
    const first = await exchangeWith(
      provider,
      await apiToken(provider, notes.identifier),
      await prove(),
    );
    expect(first).toMatchObject({ token_type: "DPoP" });
    const bound = String(first["access_token"]);
    expect(await exchangeWith(provider, bound, await prove())).toMatchObject({
      token_type: "DPoP",
    });
    for (const proof of [await proveOther(), undefined]) {
      expect(await exchangeWith(provider, bound, proof)).toMatchObject({ error: "invalid_grant" });
    }
  });
});

async function exchangeWith(
  provider: RunningProvider,
  subject: string,
  proof: string | undefined,
): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = proof === undefined ? {} : { DPoP: proof };
  return membersOf(await tokenRequest(provider, exchangeForm(subject), { headers }));
}

describe("token exchange in the form of Entra ID", () => {
  it.each([
    ["one scope", `${mail.identifier}/mail.read`, "mail.read"],
    ["all scopes", `${mail.identifier}/.default`, "mail.read mail.send"],
  ])("gives a token with %s of the API that the scope names", async (_name, scope, granted) => {
    const provider = await start();
    const subject = await apiToken(provider, notes.identifier);
    const response = await tokenRequest(provider, onBehalfOfForm(subject, { scope }));
    const answer = await membersOf(response);
    expect(answer).not.toHaveProperty("issued_token_type");
    const { claims } = await readAccessToken(provider, answer["access_token"]);
    expect(claims).toMatchObject({ aud: mail.audience, scope: granted, sub: "person-ada" });
  });

  it.each([
    ["without `requested_token_use`", { requested_token_use: "" }, "invalid_request"],
    ["without a scope", { scope: "" }, "invalid_request"],
    ["for two APIs", { scope: `${mail.identifier}/a ${notes.identifier}/b` }, "invalid_request"],
    ["for an unknown API", { scope: "https://other.example/a" }, "invalid_target"],
    ["without an assertion", { assertion: "" }, "invalid_request"],
  ])("is refused %s", async (_name, changes, error) => {
    const provider = await start();
    const subject = await apiToken(provider, notes.identifier);
    const response = await tokenRequest(provider, onBehalfOfForm(subject, changes));
    expect(await response.json()).toMatchObject({ error });
  });
});
