import type { Identity } from "../config/identity.ts";
import { sha256 } from "../crypto/digest.ts";

/** Names a user at an issuer, whatever the client: `sub` alone is no key. */
export function createIdentity({ issuer, sub, connection }: Omit<Identity, "id">): Identity {
  return { issuer, sub, connection, id: sha256(JSON.stringify([issuer, sub])) };
}

/** The index of the tags that an identity has at the clients of its issuer. */
export function identityIndex(id: string): string {
  return `identity|${id}`;
}
