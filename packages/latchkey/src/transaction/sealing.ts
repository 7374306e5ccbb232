import type { Config } from "../config/config.ts";
import { defaultID } from "../config/constants.ts";
import {
  isOfSite,
  keysFor,
  namesAt,
  openNamed,
  type SealingKeys,
  type SealingSite,
} from "../config/sealed-names.ts";
import { parseJSON } from "../crypto/json-object.ts";
import { sealText } from "../crypto/jwe.ts";

/** What the values of a sign-in, which browsers carry, are sealed with. */
export interface Sealing {
  readonly config: Config;
  readonly keys: SealingKeys;
  readonly site: SealingSite;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

type AtSite = Pick<Sealing, "keys" | "site">;

/**
 * Seals a text for this site.
 *
 * @param connection - the id of that which it is for; by default it is for all of the site
 */
export function sealHere({ keys, site }: AtSite, text: string, connection = defaultID): string {
  const names = namesAt(site, connection);
  return sealText(keysFor(keys, names), names, text);
}

/** Returns a text that was sealed for this site; `null` for anything else. */
export function openHere({ keys, site }: AtSite, sealed: string): string | null {
  const opened = openNamed(keys, sealed);
  return typeof opened === "object" && isOfSite(opened.header, site) ? opened.text : null;
}

/** The same for a value as JSON. */
export function openJSONHere(sealing: AtSite, sealed: string): unknown {
  const text = openHere(sealing, sealed);
  return text === null ? null : parseJSON(text);
}
