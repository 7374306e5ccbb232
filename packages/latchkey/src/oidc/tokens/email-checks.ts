import { domainOfEmail } from "../../config/email-domain.ts";
import type { Check } from "../checks/check.ts";
import type { Connection } from "../connection.ts";

/** Claims with the email address of a user, and the domains of the connection. */
export interface EmailFacts {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly connection: Pick<Connection, "domains" | "otherEmails" | "revealDomains">;
}

/** A provider for some domains must not bring users with addresses of others. */
export const emailDomainCheck: Check<EmailFacts> = {
  name: "Domain of the email address",
  reason: "email_domain_mismatch",
  applies: isEmailLimited,
  holds: ({ claims: { email }, connection: { domains } }) =>
    domains.some((domain) => domain === domainOfEmail(String(email))),
  expected: ({ connection: { domains } }) => domains.join(" or "),
  actual: ({ claims: { email } }) => domainOfEmail(String(email)) ?? "no domain",
  refusal: ({ claims: { email }, connection: { domains, revealDomains } }) => ({
    detail: `the domains are ${domains.join(", ")}`,
    person: {
      email: String(email),
      expected: revealDomains ? domains.slice(0, domainsShown).join(", ") : "",
    },
  }),
};

/** More of them are no help to a reader. */
const domainsShown = 3;

/** If users sign up by themselves, anyone can type an address of the domain. */
export const emailConfirmedCheck: Check<EmailFacts> = {
  name: "Email address is confirmed",
  reason: "email_domain_mismatch",
  applies: isEmailLimited,
  // Some providers write it as a text.
  holds: ({ claims: { email_verified: confirmed } }) => String(confirmed) !== "false",
  expected: () => "not false",
  actual: ({ claims: { email_verified: confirmed } }) => String(confirmed),
  refusal: ({ claims: { email } }) => ({
    detail: "email_verified is false",
    person: { email: String(email), isUnconfirmed: true },
  }),
};

function isEmailLimited({ claims: { email }, connection }: EmailFacts): boolean {
  const { domains, otherEmails } = connection;
  return typeof email === "string" && domains.length > 0 && otherEmails === "refuse";
}
