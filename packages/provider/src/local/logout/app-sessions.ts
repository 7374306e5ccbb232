import type { Storage } from "../storage.ts";

/** A session of the provider with one application. */
export interface AppSession {
  readonly clientID: string;
  readonly sub: string;
  readonly sid: string;
}

/** The sessions of all users with all applications. */
export function appSessions(storage: Storage): readonly AppSession[] {
  return storage.all("Session").flatMap(({ accountId, authorizations }) => {
    if (typeof accountId !== "string" || !isRecord(authorizations)) return [];
    return Object.entries(authorizations).flatMap(([clientID, authorization]) => {
      if (!isRecord(authorization) || typeof authorization["sid"] !== "string") return [];
      return [{ clientID, sub: accountId, sid: authorization["sid"] }];
    });
  });
}

/** Deletes sessions of the provider with their grants and tokens, and returns them. */
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
