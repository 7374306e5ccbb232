import type { Fetch } from "../../src/oidc/issuer/provider-fetch.ts";
import { metadataOf } from "../worlds/quick-provider.ts";

/**
 * The tokens of one sign-in. Each refresh token works once; a second use after the grace period
 * revokes them all.
 */
export interface TokenFamily {
  /** The number of the newest refresh token, from 0. */
  newest: number;
  isRevoked: boolean;
  /** How often each refresh token came, by its number. */
  readonly uses: number[];
  /** When each was taken, in milliseconds. */
  readonly takenAt: number[];
  /** Numbers of the refresh tokens revoked by the app. */
  readonly returned: Set<number>;
}

export interface RotatingProvider {
  /** A provider whose calls take as long as the world wants, and may fail. */
  readonly fetch: Fetch;
  signIn(): { readonly refreshToken: string; readonly family: TokenFamily };
}

export interface RotatingProviderOptions {
  readonly issuer: string;
  readonly clock: () => number;
  /** Seconds. */
  readonly accessTokenLasts: number;
  /** Milliseconds in which a used token works once more. */
  readonly graceMs: () => number;
  /** A second use is refused, and nothing is revoked for it. */
  readonly isForgiving?: boolean;
  /**
   * Called on the arrival of a request at the token endpoint, and before its response. It may wait,
   * or throw to lose the message.
   */
  readonly onTheWay: (moment: "request" | "response") => Promise<void>;
}

/** What a provider does with refresh tokens, and nothing else. */
export function createRotatingProvider(options: RotatingProviderOptions): RotatingProvider {
  const { issuer, onTheWay } = options;
  const families = new Map<string, TokenFamily>();
  return {
    async fetch(input, { body }) {
      const form = body instanceof URLSearchParams ? body : new URLSearchParams();
      if (input.endsWith("/revoke")) return revoke(families, form);
      if (!input.endsWith("/token")) {
        return Response.json({ ...metadataOf(issuer), revocation_endpoint: `${issuer}/revoke` });
      }
      await onTheWay("request");
      const response = spend(options, parse(families, form.get("refresh_token") ?? ""));
      await onTheWay("response");
      return response;
    },
    signIn() {
      const name = `${families.size + 1}`;
      const family = {
        newest: 0,
        isRevoked: false,
        uses: [],
        takenAt: [],
        returned: new Set<number>(),
      };
      families.set(name, family);
      return { refreshToken: `rt.${name}.0`, family };
    },
  };
}

/** `rt.<name of the family>.<number>` */
interface ParsedToken {
  readonly name: string;
  readonly number: number;
  readonly family: TokenFamily;
}

function parse(families: ReadonlyMap<string, TokenFamily>, token: string): ParsedToken {
  const [, name = "", number = ""] = token.split(".");
  const family = families.get(name);
  if (family === undefined) throw new Error(`no provider has issued ${token}`);
  return { name, number: Number(number), family };
}

function spend(
  { clock, accessTokenLasts, graceMs, isForgiving = false }: RotatingProviderOptions,
  { name, number, family }: ParsedToken,
): Response {
  family.uses[number] = (family.uses[number] ?? 0) + 1;
  const isInGrace =
    number === family.newest - 1 && clock() - (family.takenAt[number] ?? 0) < graceMs();
  const isReuse = number !== family.newest && !isInGrace;
  if (isReuse && !isForgiving) family.isRevoked = true;
  if (isReuse || family.isRevoked || family.returned.has(number)) {
    return Response.json({ error: "invalid_grant" }, { status: 400 });
  }
  if (number === family.newest) {
    family.takenAt[number] = clock();
    family.newest += 1;
  }
  return Response.json({
    access_token: `at.${name}.${family.newest}`,
    refresh_token: `rt.${name}.${family.newest}`,
    token_type: "Bearer",
    expires_in: accessTokenLasts,
  });
}

function revoke(families: ReadonlyMap<string, TokenFamily>, form: URLSearchParams): Response {
  const token = form.get("token") ?? "";
  if (token.startsWith("rt.")) {
    const { family, number } = parse(families, token);
    family.returned.add(number);
  }
  return new Response(null, { status: 200 });
}
