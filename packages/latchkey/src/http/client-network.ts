import type { HostRequest } from "./auth-request.ts";

/**
 * Returns the network of a request, a shortened address: `203.0.113.…` for an IPv4 address,
 * `2001:db8:1:…` for an IPv6 address.
 *
 * @param from - `socket`, or the name of the header in which a proxy sends the address
 * @returns `undefined` without a readable address
 */
export function networkOf(
  { headers, remoteAddress }: Pick<HostRequest, "headers" | "remoteAddress">,
  from: string,
): string | undefined {
  const text = from === "socket" ? remoteAddress : lastOf(headers.get(from) ?? "", from);
  if (text === undefined) return undefined;
  const address = withoutPort(text.trim());
  const network = networkOfIPv4(address) ?? networkOfIPv6(address);
  return network === undefined ? undefined : `${network}…`;
}

/**
 * The last entry of a list counts: the nearest proxy has added it. A client can forge the others.
 */
function lastOf(value: string, header: string): string | undefined {
  const last = value.slice(value.lastIndexOf(",") + 1);
  if (header.toLowerCase() !== "forwarded") return last;
  // RFC 7239, section 4.
  return /(?:^|;)\s*for=("?)([^;"]*)\1/i.exec(last)?.[2];
}

function withoutPort(text: string): string {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  if (inBrackets !== undefined) return inBrackets;
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text;
}

function networkOfIPv4(address: string): string | undefined {
  const octets = address.split(".");
  return octets.length === 4 && octets.every(isOctet)
    ? `${octets.slice(0, 3).join(".")}.`
    : undefined;
}

function isOctet(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) < 256;
}

function networkOfIPv6(address: string): string | undefined {
  const host = `[${address.split("%", 1)[0]}]`;
  if (!/^\[[\da-f:.]{2,45}\]$/i.test(host) || !URL.canParse(`http://${host}/`)) return undefined;
  const groups = groupsOf(new URL(`http://${host}/`).hostname.slice(1, -1));
  const [first, second, third] = groups;
  // An IPv4-mapped address (RFC 4291, section 2.5.5.2).
  if (groups.slice(0, 6).join() === "0,0,0,0,0,ffff") {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return `${high >> 8}.${high & 255}.${low >> 8}.`;
  }
  return `${first}:${second}:${third}:`;
}

/** The eight groups of an address in its shortest form (RFC 5952). */
function groupsOf(address: string): readonly string[] {
  const [head = [], tail = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail];
}
