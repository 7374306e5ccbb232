import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";

import { metadataOf } from "../worlds/quick-provider.ts";

export type Members = Readonly<Record<string, unknown>>;

/** An issuer of access tokens without a socket, which signs whatever a test wants. */
export interface TestIssuer {
  readonly issuer: string;
  /** The addresses that were fetched. */
  readonly fetched: string[];
  /** Replaces the response of an address by its path. */
  readonly answers: Map<string, (body: URLSearchParams) => Response | Promise<Response>>;
  readonly keys: unknown[];
  readonly fetch: (address: string, init?: RequestInit) => Promise<Response>;
  /** Signs claims with the issuer's key, or another one. */
  sign(claims: Members, header?: Members, key?: CryptoKey | Uint8Array): Promise<string>;
}

const pairs = new Map<string, ReturnType<typeof generateKeyPair>>();

/** One key pair for each algorithm and name: making RSA keys takes long. */
export function keyPair(alg: string, name = "issuer"): ReturnType<typeof generateKeyPair> {
  const key = `${alg} ${name}`;
  const pair = pairs.get(key) ?? generateKeyPair(alg, { extractable: true });
  pairs.set(key, pair);
  return pair;
}

export async function createTestIssuer(issuer = "https://op.example"): Promise<TestIssuer> {
  const alg = "ES256";
  const { privateKey, publicKey } = await keyPair(alg, issuer);
  const keys: unknown[] = [{ ...(await exportJWK(publicKey)), kid: "one", use: "sig" }];
  const fetched: string[] = [];
  const answers: TestIssuer["answers"] = new Map();
  return {
    issuer,
    fetched,
    answers,
    keys,
    async fetch(address, init = {}) {
      fetched.push(address);
      const { pathname } = new URL(address);
      const body = new URLSearchParams(init.body instanceof URLSearchParams ? init.body : "");
      const answer = answers.get(pathname.slice(pathname.lastIndexOf("/")));
      if (answer !== undefined) return answer(body);
      if (pathname.endsWith("/openid-configuration")) {
        const introspection = { introspection_endpoint: `${issuer}/introspect` };
        return Response.json({ ...metadataOf(issuer), ...introspection });
      }
      return pathname.endsWith("/keys")
        ? Response.json({ keys })
        : new Response(null, { status: 404 });
    },
    sign: (claims, header = {}, key = privateKey) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, kid: "one", typ: "at+jwt", ...header })
        .sign(key),
  };
}
