import type { Config } from "../../config/config.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { isSameOrigin } from "../../http/fetch-metadata.ts";

/** The methods that change nothing (RFC 9110, section 9.2.1). */
const safeMethods = ["GET", "HEAD", "OPTIONS", "TRACE"];

/**
 * Refuses a change that a page of another origin sends with the session of its visitor, if the
 * setting is on (decision 0138).
 *
 * @throws {Refusal} `cross_site_request`
 */
export function checkOrigin(
  config: Pick<Config, "checkOrigin">,
  request: Pick<HostRequest, "headers" | "method" | "pageURL" | "url">,
): void {
  if (!config.checkOrigin || safeMethods.includes(request.method)) return;
  const { origin } = new URL(request.pageURL ?? request.url);
  if (isSameOrigin(request, origin)) return;
  const { headers } = request;
  const seen = ["Sec-Fetch-Site", "Origin"].map((name) => `${name} ${headers.get(name) ?? "none"}`);
  throw new Refusal("cross_site_request", { detail: `${request.method}, ${seen.join(", ")}` });
}
