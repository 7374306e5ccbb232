import type { ProviderKeys } from "../keys.ts";
import { logoutToken } from "./logout-token.ts";
import type { LogoutSubject } from "./logout-token.ts";
import type { ClientSettings } from "../settings.ts";

/** The status of an application's response to a logout token; 0 when it could not be reached. */
export interface LogoutDelivery {
  readonly clientID: string;
  readonly sub?: string;
  readonly sid?: string;
  readonly status: number;
}

/** Sends a logout token to every application with an address for it. */
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
