import { isLoopback } from "../../../config/rules/rule.ts";
import { failure, type Judgement, note, orOK } from "../finding.ts";
import type { Project } from "./project.ts";
import { faultsAt } from "./setting-faults.ts";

export function judgeCookies(project: Project): readonly Judgement[] {
  const faults = faultsAt("D08", project);
  const { config } = project;
  if (faults.length > 0 || config === null) return orOK(faults);
  const { secure, sameSite, domain } = config.session.cookie;
  const isHttps = config.baseURL.startsWith("https:");
  const judgements: Judgement[] = [];
  if (secure && !isHttps && isLoopback(config.baseURL)) {
    judgements.push(note("The session cookie is Secure on http. Safari drops such a cookie."));
  }
  for (const [name, cookie] of [
    ["SESSION", config.session.cookie],
    ["TRANSACTION", config.transactionCookie.attributes],
  ] as const) {
    if (cookie.sameSite !== "strict") continue;
    judgements.push(
      failure(
        `LATCHKEY_${name}_COOKIE_SAME_SITE is strict, so the cookie is not sent after the return from a provider on another site.`,
        "Remove the setting, unless the provider is on the site of the app.",
      ),
    );
  }
  if (sameSite === "none" && !secure) {
    judgements.push(
      failure("A SameSite=None cookie without Secure is dropped.", "Serve the app over https."),
    );
  }
  const host = new URL(config.baseURL).hostname;
  const bare = domain?.replace(/^\./, "");
  if (bare !== undefined && host !== bare && !host.endsWith(`.${bare}`)) {
    judgements.push(
      failure(
        `LATCHKEY_SESSION_COOKIE_DOMAIN is ${domain}, and the app is at ${host}: browsers drop the cookie.`,
        `Remove the setting, or set it to a parent of ${host}.`,
      ),
    );
  }
  return orOK(judgements);
}
