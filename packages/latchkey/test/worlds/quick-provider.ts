import { createHmac, randomUUID } from "node:crypto";

import type { Options } from "../../src/index.ts";

export type Members = Readonly<Record<string, unknown>>;

/** How the provider responds to the app's own calls; each may be replaced in a test. */
export interface QuickAnswers {
  metadata?: () => Response | Promise<Response>;
  keys?: () => Response | Promise<Response>;
  token?: (good: Members) => Response | Promise<Response>;
  userinfo?: () => Response | Promise<Response>;
}

/**
 * A provider without a socket, for tests with thousands of cases. It signs with the client secret.
 */
export interface QuickProvider {
  readonly issuer: string;
  readonly answers: QuickAnswers;
  readonly fetch: NonNullable<Options["fetch"]>;
  /** Claims of the person whom a code, or a refresh token, stands for; else of one and the same. */
  readonly people: Map<string, Members>;
  /** A code for an authorization request with this nonce. */
  newCode(nonce: string): string;
  sign(claims: Members, header?: Members): string;
  goodClaims(nonce: string): Members;
  /** Returns a logout token for the sessions named by these claims. */
  logoutToken(subject: Members): string;
}

export const quickClient = {
  clientID: "quick",
  clientSecret: "the-client-secret-of-the-quick-app-0123456789",
};

export function createQuickProvider(clock: () => number): QuickProvider {
  const issuer = "https://op.example";
  const answers: QuickAnswers = {};
  const nonces = new Map<string, string>();
  const people = new Map<string, Members>();
  const sign = (claims: Members, header: Members = { alg: "HS256" }) => signHS256(header, claims);
  const goodClaims = (nonce: string) => claimsFor(issuer, nonce, Math.floor(clock() / 1000));

  /** A refresh token is good once. */
  function tokens(body: URLSearchParams): Members | null {
    const spent = body.get("refresh_token");
    const grant = spent ?? body.get("code") ?? "";
    const [nonce, person] = [nonces.get(grant), people.get(grant)];
    if (spent !== null && !nonces.delete(spent)) return null;
    const refreshToken = randomUUID();
    nonces.set(refreshToken, nonce ?? "");
    if (person !== undefined) people.set(refreshToken, person);
    return {
      access_token: randomUUID(),
      refresh_token: refreshToken,
      token_type: "Bearer",
      expires_in: 300,
      id_token: sign({ ...goodClaims(nonce ?? ""), ...person }),
    };
  }

  return {
    issuer,
    answers,
    people,
    sign,
    goodClaims,
    logoutToken: (subject) =>
      sign({ ...logoutClaimsFor(issuer, Math.floor(clock() / 1000)), ...subject }),
    newCode(nonce) {
      const code = `code-${randomUUID()}`;
      nonces.set(code, nonce);
      return code;
    },
    async fetch(input, { body }) {
      switch (new URL(input).pathname) {
        case "/.well-known/openid-configuration":
          return answers.metadata?.() ?? Response.json(metadataOf(issuer));
        case "/keys":
          return answers.keys?.() ?? Response.json({ keys: [] });
        case "/userinfo":
          return answers.userinfo?.() ?? Response.json({ sub: "quick-person" });
        default: {
          const good = tokens(body instanceof URLSearchParams ? body : new URLSearchParams());
          if (good === null) return Response.json({ error: "invalid_grant" }, { status: 400 });
          return answers.token?.(good) ?? Response.json(good);
        }
      }
    },
  };
}

export function metadataOf(issuer: string): Members {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    end_session_endpoint: `${issuer}/end-session`,
    jwks_uri: `${issuer}/keys`,
  };
}

function claimsFor(issuer: string, nonce: string, now: number): Members {
  return {
    iss: issuer,
    sub: "quick-person",
    aud: quickClient.clientID,
    exp: now + 300,
    iat: now,
    nonce,
    sid: "quick-session",
    name: "Quick Person",
  };
}

function logoutClaimsFor(issuer: string, now: number): Members {
  return {
    iss: issuer,
    aud: quickClient.clientID,
    iat: now,
    exp: now + 120,
    jti: randomUUID(),
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
}

function signHS256(header: Members, claims: Members): string {
  const part = (value: Members) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part(header)}.${part(claims)}`;
  const { clientSecret } = quickClient;
  return `${input}.${createHmac("sha256", clientSecret).update(input).digest("base64url")}`;
}
