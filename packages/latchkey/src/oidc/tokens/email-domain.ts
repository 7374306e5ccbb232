import { domainOfEmail } from "../../config/email-domain.ts";
import type { Check } from "../checks/check.ts";
import type { Connection } from "../connection.ts";

interface EmailFacts {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly connection: Pick<Connection, "domains" | "otherEmails">;
}

/** A provider for some domains must not bring users with addresses of others. */
export const emailDomainCheck: Check<EmailFacts> = {
  name: "Domain of the email address",
  reason: "email_domain_mismatch",
  applies: ({ claims: { email }, connection: { domains, otherEmails } }) =>
    typeof email === "string" && domains.length > 0 && otherEmails === "refuse",
  holds: ({ claims: { email }, connection: { domains } }) =>
    domains.some((domain) => domain === domainOfEmail(String(email))),
  expected: ({ connection: { domains } }) => domains.join(" or "),
  actual: ({ claims: { email } }) => domainOfEmail(String(email)) ?? "no domain",
  refusal: ({ claims: { email }, connection: { domains } }) => ({
    detail: `the domains are ${domains.join(", ")}`,
    person: { email: String(email), expected: domains.slice(0, domainsShown).join(", ") },
  }),
};

/** More of them are no help to a reader. */
const domainsShown = 3;
