import type { HostRequest } from "../http/auth-request.ts";
import { parseTarget } from "../http/request-target.ts";

/**
 * Whether a request comes from this machine: the host and the other end of the connection are this
 * machine, and so is everything that a proxy or a tunnel adds. A page of another site that points
 * its own name to this machine is recognized by its host.
 */
export function isFromThisMachine({ headers, target, remoteAddress }: HostRequest): boolean {
  const host = parseTarget(target)?.authority ?? headers.get("host");
  const hosts = [host, ...listIn(headers.get("x-forwarded-host"))];
  const peers = remoteAddress === undefined ? [] : [remoteAddress];
  const addresses = [...peers, ...listIn(headers.get("x-forwarded-for"))];
  return (
    headers.get("forwarded") === null && hosts.every(isOurHost) && addresses.every(isOurAddress)
  );
}

const names = /^(?:(?:.+\.)?localhost|\[::1\]|127(?:\.\d+){3})$/;

/** Like `isLoopback` of the settings: an import of that would enlarge every Worker. */
export function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && names.test(new URL(url).hostname);
}

function listIn(header: string | null): readonly string[] {
  return header === null ? [] : header.split(",").map((each) => each.trim());
}

function isOurHost(host: string | null): boolean {
  return host !== null && isOnThisMachine(`http://${host}`);
}

/** IPv4, IPv6, or the former as the latter. */
function isOurAddress(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/i.test(address);
}
