import { isLoopback } from "../../config/rules/rule.ts";
import { oneLine } from "../../errors/one-line.ts";
import { ask, type Answer, bare, type Fetch, objectOf, textIn } from "../doctor/ask.ts";
import { withoutTrailingSlash, withoutTrailingSlashes } from "../../http/trailing-slash.ts";

const suffix = "/.well-known/openid-configuration";

export interface FoundProvider {
  /** Exactly as its metadata spells it. */
  readonly issuer: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Finds the provider at an address: an issuer, its discovery address, or a host.
 *
 * @throws Error with one sentence and the value to set
 */
export async function findProvider(text: string, fetch: Fetch): Promise<FoundProvider> {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (url === null) throw new Error("This is no address of a provider: name its issuer.");
  const named = url.origin + withoutTrailingSlashes(url.pathname.replace(suffix, ""));
  checkScheme(named);
  const answer = await ask(fetch, named + suffix);
  const metadata = objectOf(answer);
  const issuer = textIn(metadata, "issuer");
  if (metadata === null || issuer === "") throw new Error(whyNone(named, answer));
  if (issuer.includes("{tenantid}")) throw new Error(tenantsOf(named));
  if (withoutTrailingSlash(issuer) !== named) {
    const name = oneLine(issuer, 200);
    throw new Error(
      `The provider at ${named} calls itself ${name}. If this is your provider, name it so.`,
    );
  }
  return { issuer, metadata };
}

function checkScheme(address: string): void {
  if (address.startsWith("https:") || isLoopback(address)) return;
  throw new Error(`${address} is http, which is for providers on this machine only: use https.`);
}

/** The metadata of `common` and `organizations` at Entra ID name no tenant. */
function tenantsOf(address: string): string {
  const own = address.replace(/\/(?:common|organizations)\//, "/<tenant id>/");
  return (
    `${address} stands for many tenants of Entra ID. For one tenant run latchkey connect ${own}. ` +
    `For several set LATCHKEY_ISSUER_BASE_URL=${address} and LATCHKEY_TENANTS to their ids.`
  );
}

function whyNone(named: string, answer: Answer): string {
  if (answer.kind === "fault") {
    const isLate = answer.code === "TimeoutError";
    const why = isLate ? "no answer within 5 seconds" : answer.message || answer.code;
    return `${named} cannot be reached: ${why}.`;
  }
  const { status, headers, url } = answer;
  const to = URL.parse(headers.get("location") ?? "", url);
  if (status >= 300 && status < 400 && to !== null) {
    return `${bare(url)} redirects to ${bare(to.href)}: name the issuer itself.`;
  }
  const isPage = /html/.test(headers.get("content-type") ?? "");
  const found = isPage ? "a web page" : `status ${status}`;
  return `${bare(url)} has no metadata of a provider, but ${found}.`;
}
