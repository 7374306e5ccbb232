import type { Settings } from "../config/settings.ts";
import type { ConnectionOptions } from "../config/connection-options.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";

/** Finds the connections of an app, for example in its database. */
export interface LookUpOptions {
  /** Connections with settings in code, by their ids. Users can choose them on the page. */
  readonly listed?: Settings["connections"];
  /** Returns the settings of the connection with this id; `null` if there is none. */
  readonly byID: (id: string) => MaybePromise<ConnectionOptions | null>;
  /** Returns the id of the connection for an e-mail domain, in lower case; `null` without one. */
  readonly byDomain?: ((domain: string) => MaybePromise<string | null>) | undefined;
  /** Returns the id of the connection for an issuer; `null` without one. */
  readonly byIssuer?: ((issuer: string) => MaybePromise<string | null>) | undefined;
  /**
   * Seconds for which an answer counts without another look-up.
   *
   * @default 60
   */
  readonly freshFor?: number | undefined;
  /**
   * Seconds for which an answer counts while look-ups fail.
   *
   * @default 3600
   */
  readonly keepFor?: number | undefined;
  /**
   * Connections kept in memory, those used last.
   *
   * @default 1000
   */
  readonly atMost?: number | undefined;
  /**
   * Milliseconds after which a look-up is given up.
   *
   * @default 2000
   */
  readonly timeout?: number | undefined;
  /**
   * Whether a customer may name this issuer, and this endpoint of one. By default only https
   * addresses at the usual port, with a name of the public DNS.
   */
  readonly issuers?: ((address: URL) => boolean) | undefined;
}
