/** To which connection and site a sealed text belongs (decision 0143). */
import { type NotOpened, type OpenedText, openParts, parseJWE } from "../crypto/jwe.ts";
import type { KeyRing } from "../crypto/key-ring.ts";
import type { Config } from "./config.ts";
import { defaultID } from "./constants.ts";

/**
 * What the header of a sealed text names. Both are absent for the connection `default` at the
 * primary site: such texts are those of former versions, byte for byte.
 */
export type SealedNames = {
  /** The id of the connection. */
  readonly connection?: string;
  /** See {@link SealingSite}. */
  readonly origin?: string;
};

type UncheckedNames = { readonly [name in keyof SealedNames]?: unknown };

/** The keys in force for one kind of text: a former version knows the first ones alone. */
export interface SealingKeys {
  readonly plain: () => KeyRing;
  /** For texts whose header names a connection and a site. */
  readonly named: () => KeyRing;
}

/** Returns the keys for a text with this header, which may be forged. */
export function keysFor(keys: SealingKeys, header: UncheckedNames): KeyRing {
  return isNamed(header) ? keys.named() : keys.plain();
}

/** Opens a text with the keys that its header calls for. */
export function openNamed(keys: SealingKeys, text: string): OpenedText | NotOpened {
  const parts = parseJWE(text);
  return parts === null ? "malformed" : openParts(keysFor(keys, parts.header), parts);
}

/** Where texts are sealed and opened. */
export interface SealingSite {
  /** Of its base URL, or `.<domain>` for sites that share their session cookie. */
  readonly origin: string;
  /** Whether it is the primary site, or shares its session cookie with that one. */
  readonly isPrimary: boolean;
  /** Whether every session names both: there are several, and no name may be missing. */
  readonly namesAll: boolean;
}

type ConfigOfSite = Pick<Config, "origin" | "isPrimary" | "baseURLs" | "session">;

/**
 * Returns the site of a configuration, by that of the primary site.
 *
 * @param hasSeveralWays - whether there are several connections, looked-up ones included
 */
export function sealingSite(
  config: ConfigOfSite,
  primary: ConfigOfSite,
  hasSeveralWays = false,
): SealingSite {
  const { isPrimary, baseURLs, session } = config;
  const origin = nameOf(config);
  return {
    origin,
    isPrimary: isPrimary || origin === nameOf(primary),
    namesAll: session.requireIssuer && (baseURLs.length > 1 || hasSeveralWays),
  };
}

/** The domain is stated by the operator: sessions count at every listed site below it. */
function nameOf({ origin, session }: ConfigOfSite): string {
  const { domain } = session.cookie;
  return domain === undefined ? origin : `.${domain.replace(/^\./, "").toLowerCase()}`;
}

/** Returns the names for a text of a connection at a site. */
export function namesAt(
  { origin, isPrimary, namesAll }: SealingSite,
  connection: string,
): SealedNames {
  return isPrimary && connection === defaultID && !namesAll ? {} : { connection, origin };
}

/** The names alone. */
export function namesIn({ connection, origin }: SealedNames): SealedNames {
  return {
    ...(connection === undefined ? {} : { connection }),
    ...(origin === undefined ? {} : { origin }),
  };
}

/** Whether a header names its connection and its site. */
export function isNamed({ connection, origin }: UncheckedNames): boolean {
  return connection !== undefined || origin !== undefined;
}

/** Whether a text with these names belongs to a site. */
export function isOfSite(names: UncheckedNames, site: SealingSite): boolean {
  return isNamed(names) ? names.origin === site.origin : site.isPrimary;
}
