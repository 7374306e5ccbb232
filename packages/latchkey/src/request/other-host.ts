import type { Config } from "../config/config.ts";
import type { Warnings } from "../context.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { parseTarget } from "../http/request-target.ts";

interface Warned {
  readonly config: Config;
  readonly warnings: Warnings;
}

/**
 * Whether the app was opened by another host than the one of the base URL, `127.0.0.1` for
 * `localhost` or another port: it has none of the cookies for sign-in.
 */
export function isAtOtherHost(config: Config, request: HostRequest): boolean {
  const host = hostOf(request);
  return host !== null && !config.origin.endsWith(`//${host.toLowerCase()}`);
}

/** Logs both hosts, once. */
export function warnOfOtherHost({ config, warnings }: Warned, request: HostRequest): void {
  if (!isAtOtherHost(config, request)) return;
  const host = hostOf(request)?.slice(0, 100);
  warnings.once(
    "other-host",
    `The app was opened at ${host}, but LATCHKEY_BASE_URL is ${config.baseURL}: sign-in ends there. Open the app by its base URL, change LATCHKEY_BASE_URL, or let the proxy in front of the app pass the Host header on.`,
  );
}

/** Logs once that the base URL is https and the app itself is opened over http. */
export function warnOfPlainRequest({ config, warnings }: Warned, request: HostRequest): void {
  const { baseURL } = config;
  if (!baseURL.startsWith("https:") || request.encrypted !== false) return;
  const { headers } = request;
  if (/https/i.test(headers.get("x-forwarded-proto") ?? headers.get("forwarded") ?? "")) return;
  const plain = baseURL.replace("https:", "http:");
  warnings.once(
    "plain-request",
    `LATCHKEY_BASE_URL is ${baseURL}, but a request came over http, and no proxy has sent X-Forwarded-Proto: https. If the app is opened over http, set LATCHKEY_BASE_URL to ${plain}. Else let the proxy in front of the app send that header.`,
  );
}

/** A target in absolute form names the host, whatever the field says (RFC 9112, section 3.2.2). */
function hostOf({ target, headers }: HostRequest): string | null {
  return parseTarget(target)?.authority ?? headers.get("host");
}
