import type { ProviderKeys } from "./keys.ts";
import { logoutToken } from "./logout-token.ts";
import type { LogoutSubject } from "./logout-token.ts";
import type { ClientSettings } from "./settings.ts";
import type { Storage } from "./storage.ts";

/** What an application answered to a logout token; status 0 when it could not be reached. */
export interface LogoutDelivery {
  readonly clientID: string;
  readonly sub?: string;
  readonly sid?: string;
  readonly status: number;
}

/** A session of the provider with one application. */
export interface AppSession {
  readonly clientID: string;
  readonly sub: string;
  readonly sid: string;
}

/** Sends a logout token to every application that listens for one. */
export async function announceLogout(
  issuer: string,
  keys: ProviderKeys,
  clients: readonly ClientSettings[],
  subject: LogoutSubject,
): Promise<readonly LogoutDelivery[]> {
  const listening = clients.filter((client) => client.backchannelLogoutURI !== undefined);
  return Promise.all(
    listening.map(async (client) => {
      const token = await logoutToken(issuer, keys, client, subject);
      return { clientID: client.id, ...subject, status: await deliver(client, token) };
    }),
  );
}

async function deliver(client: ClientSettings, token: string): Promise<number> {
  try {
    const answer = await fetch(client.backchannelLogoutURI ?? "", {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ logout_token: token }),
      signal: AbortSignal.timeout(5000),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
}

/** Who is signed in to which application through the provider now. */
export function appSessions(storage: Storage): readonly AppSession[] {
  return storage.all("Session").flatMap(({ accountId, authorizations }) => {
    if (typeof accountId !== "string" || !isRecord(authorizations)) return [];
    return Object.entries(authorizations).flatMap(([clientID, authorization]) => {
      if (!isRecord(authorization) || typeof authorization["sid"] !== "string") return [];
      return [{ clientID, sub: accountId, sid: authorization["sid"] }];
    });
  });
}

/** Forgets sessions of the provider, with their grants and tokens. @returns those forgotten. */
export async function forgetSessions(
  storage: Storage,
  sub: string | undefined,
): Promise<readonly AppSession[]> {
  const sessions = appSessions(storage).filter(
    (session) => sub === undefined || session.sub === sub,
  );
  for (const { accountId, jti, authorizations } of storage.all("Session")) {
    if (sub !== undefined && accountId !== sub) continue;
    if (typeof jti === "string") await storage.adapter("Session").destroy(jti);
    for (const authorization of Object.values(isRecord(authorizations) ? authorizations : {})) {
      if (!isRecord(authorization) || typeof authorization["grantId"] !== "string") continue;
      await revokeGrant(storage, authorization["grantId"]);
    }
  }
  return sessions;
}

async function revokeGrant(storage: Storage, grantID: string): Promise<void> {
  await storage.adapter("Grant").destroy(grantID);
  for (const model of ["AuthorizationCode", "AccessToken", "RefreshToken"]) {
    await storage.adapter(model).revokeByGrantId(grantID);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
