import { type Context, nowSeconds, type RefreshedTokens } from "../context.ts";
import { refreshTokens } from "../oidc/token-request.ts";

/** How long the result of a refresh serves requests that come late, with the cookie from before, in milliseconds. */
const graceMs = 30_000;

/**
 * Spends a refresh token, once: requests that come while it is under way, and shortly after, share the result.
 * Providers that rotate refresh tokens take a second use for theft and end everything.
 *
 * @param accessToken the one to be replaced: who has the new one already, and wants another, does not get it again
 */
export function refreshOnce(
  context: Context,
  refreshToken: string,
  accessToken: string | undefined,
): Promise<RefreshedTokens> {
  const { refreshes } = context;
  const key = `${refreshToken} ${accessToken ?? ""}`;
  const known = refreshes.get(key);
  if (known !== undefined) return known;
  const spending = spend(context, refreshToken);
  refreshes.set(key, spending);
  const forget = () => refreshes.delete(key);
  spending.then(() => forgetLater(forget), forget);
  return spending;
}

async function spend(context: Context, refreshToken: string): Promise<RefreshedTokens> {
  const tokens = await refreshTokens(context.config, context.provider, refreshToken);
  return { ...tokens, receivedAt: nowSeconds(context) };
}

function forgetLater(forget: () => void): void {
  const timer: unknown = setTimeout(forget, graceMs);
  // Node keeps a process alive for its timers; other runtimes have a plain number here.
  if (typeof timer === "object" && timer !== null && "unref" in timer) {
    (timer as { unref: () => void }).unref();
  }
}
