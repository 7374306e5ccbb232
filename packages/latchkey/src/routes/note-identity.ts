import type { Config } from "../config/config.ts";
import { knowsIdentities } from "../context.ts";
import type { Connections } from "../oidc/connections.ts";
import { issuerOfUser } from "../oidc/issuer/tenants.ts";
import { latestEnd } from "../session/lifetime.ts";
import type { StoredSession } from "../session/session.ts";
import { createIdentity, identityIndex } from "../session/create-identity.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { Log } from "../telemetry/log-event.ts";

interface Notes {
  readonly config: Pick<Config, "identity">;
  readonly connections: Connections;
  readonly store: {
    readonly join: (index: string, key: string, expiresAt: number) => MaybePromise<void>;
  } | null;
  readonly log: Log;
}

/**
 * Notes the user of a new session for `endUser()` by the identity, in an app that knows its users
 * so. The sign-in does not depend on it; never rejects.
 */
export async function noteIdentity(
  { config, connections, store, log }: Notes,
  stored: StoredSession | null,
): Promise<void> {
  if (stored === null || store === null || !knowsIdentities({ config, connections })) return;
  const { header, data } = stored;
  const { id: connection, issuer: provider, lifetime } = connections.ofSession(header);
  const issuer = issuerOfUser(provider, data.user);
  const { id } = createIdentity({ issuer, sub: data.user.sub, connection });
  try {
    await store.join(identityIndex(id), header.subTag, latestEnd(header, lifetime));
  } catch {
    const message = "A user was not noted in the store: endUser() by the identity misses them.";
    log({ event: "warning", message });
  }
}
