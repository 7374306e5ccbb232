/** What an address has in ASCII alone, without spaces (RFC 3986). */
const plain = /^[!-~]*$/;

/**
 * Returns a web address as browsers send it: the host in small letters, without the dot at its end
 * and without the usual port, everything in ASCII.
 */
export function asciiAddress(address: string): string {
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url.href;
}

/**
 * Returns a path with its query, or an absolute address, in ASCII. What is ASCII already stays as
 * it is, because a provider compares it with what is registered there.
 */
export function asciiDestination(destination: string): string {
  if (plain.test(destination)) return destination;
  const { href, pathname, search, hash } = new URL(destination, "http://localhost");
  return destination.startsWith("/") ? pathname + search + hash : href;
}

/** Returns a domain in ASCII; one that is no domain stays as it is. */
export function asciiDomain(domain: string): string {
  if (plain.test(domain)) return domain;
  const [, dot = "", name = ""] = /^(\.?)(.*)$/s.exec(domain) ?? [];
  return dot + (URL.parse(`http://${name}`)?.hostname ?? name);
}
