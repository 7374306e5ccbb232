import type { Warnings } from "../context.ts";
import type { HostRequest } from "../http/auth-request.ts";

/** Logs once that access tokens count for nothing, as the app has no `api`. */
export function warnOfTokenWithoutAPI(warnings: Warnings, { headers }: HostRequest): void {
  if (!/^(?:bearer|dpop)\s/i.test(headers.get("authorization") ?? "")) return;
  warnings.once(
    "token-without-api",
    "A request carries an access token, but this app has no api, so only its cookie counts. Let clients call with access tokens: latchkey/api, https://latchkey-auth.github.io/latchkey/guides/api",
  );
}
