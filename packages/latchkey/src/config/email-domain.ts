import { asciiDomain } from "./ascii-address.ts";

/** A domain with at least one dot, in ASCII. */
export const emailDomainForm = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z\d](?:[a-z\d-]*[a-z\d])?$/;

/** The longest address (RFC 5321, section 4.5.3.1.3, without the brackets). */
const longestAddress = 254;

/** Returns a domain as it is compared: in ASCII and small letters, without a dot at its end. */
export function comparableDomain(domain: string): string {
  return asciiDomain(domain).toLowerCase().replace(/\.$/, "");
}

/** Returns the comparable domain of an email address; `null` for a text that is no address. */
export function domainOfEmail(address: string): string | null {
  const place = address.lastIndexOf("@");
  const written = address.slice(place + 1);
  // A parser of addresses drops what follows these characters.
  const isOther = /[\s\\/?#:]/.test(written) || /\s/.test(address);
  if (place < 1 || address.length > longestAddress || isOther) return null;
  const domain = comparableDomain(written);
  return emailDomainForm.test(domain) ? domain : null;
}
