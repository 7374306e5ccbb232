import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { revokeRefreshToken } from "../oidc/token-revocation.ts";
import type { StoredSession } from "../session/session.ts";

/** In the background: whoever leaves does not wait for it, and cannot help where it fails. */
export function revokeTokens(context: Context, session: StoredSession | null): void {
  const { config, provider } = context;
  const refreshToken = session?.data.refreshToken;
  if (refreshToken === undefined) return;
  revokeRefreshToken(config, provider, refreshToken).catch((error: unknown) =>
    logProviderFault(context, error, "token revocation"),
  );
}

export function logProviderFault({ log }: Context, error: unknown, detail: string): void {
  const reason = error instanceof Refusal ? error.reason : "internal";
  log({ event: "provider-fault", reason, detail });
}
