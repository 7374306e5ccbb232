import type { Config } from "../config/config.ts";
import { userTag } from "../session/session-handle.ts";

/**
 * Stands for a user of this app in keys of the store.
 *
 * @param sub - as the provider names them
 */
export function userTagOf({ issuerBaseURL, clientID }: Config, sub: string): string {
  return userTag({ issuer: issuerBaseURL, client: clientID }, sub);
}
