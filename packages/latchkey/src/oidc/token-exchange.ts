import type { Runtime } from "../config/runtime.ts";
import type { Connection } from "./connection.ts";

/** The API that a token is for, in the words of its provider. */
export interface ExchangeTarget {
  /** The name of the API at the provider (RFC 8693, section 2.1). */
  readonly audience?: string;
  /** The address of the API (RFC 8707). */
  readonly resource?: string;
  readonly scopes?: readonly string[];
}

/** A token for another API, as far as it is known. */
export interface ExchangedToken {
  readonly accessToken?: string;
  /** Epoch seconds. */
  readonly accessTokenExpiresAt?: number;
}

/** The access token that is exchanged, and where its results are kept. */
export interface Subject {
  /** That which has issued it. */
  readonly connection: Connection;
  readonly accessToken: string;
  /** Epoch seconds; `Infinity` if unknown. */
  readonly expiresAt: number;
  /** What it was exchanged for before, by the keys of the exchange. */
  readonly held: Readonly<Record<string, ExchangedToken>>;
  /** Keeps results; does nothing if they cannot be kept. */
  save(change: (held: Subject["held"]) => Subject["held"]): Promise<void>;
}

/** What a token exchange needs of the engine. */
export type ExchangeRuntime = Pick<Runtime, "clock" | "timing" | "fraction">;

/** Token exchange, made by `tokenExchange()` of its entry point. */
export interface TokenExchange {
  /**
   * Returns a token for an API: one of the subject, of this process, or of the provider.
   *
   * @param isForced - requests a new one in any case
   * @throws {SubjectRefused} the provider does not accept the subject any more
   * @throws {AccessTokenError} `ERR_TOKEN_EXCHANGE`, `ERR_INTERACTION_REQUIRED`,
   *   `ERR_INSUFFICIENT_SCOPE`
   */
  tokenFor(
    runtime: ExchangeRuntime,
    subject: Subject,
    target: ExchangeTarget,
    isForced: boolean,
  ): Promise<string>;
}

/** The provider has refused the token that was to be exchanged. */
export class SubjectRefused extends Error {}
