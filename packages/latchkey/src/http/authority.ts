/** Host and port of a request, spelled in one way. */
export interface Authority {
  /** In lower case, in ASCII, without the dot at its end; IPv6 in brackets. */
  readonly hostname: string;
  /** Empty if it is not named. */
  readonly port: string;
}

/**
 * Characters that no host has: white space, control characters, those of user names, paths,
 * queries, lists and escapes.
 */
// oxlint-disable-next-line no-control-regex -- these very characters are looked for
const forbidden = /[\u0000-\u0020\u007f-\u00a0@/\\?#,%]/;

/** A name without a colon, or an IPv6 address in brackets; then the port. */
const hostAndPort = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{0,5}))?$/;

/** As long as a name and a port can be, with room for other alphabets. */
const longest = 400;

/**
 * Parses the host of a request: `Host`, `:authority`, or the authority of a target (RFC 9110,
 * section 7.2).
 *
 * @returns `null` for what names no single host
 */
export function parseAuthority(text: string): Authority | null {
  if (text.length > longest || forbidden.test(text)) return null;
  const [, name, port = ""] = hostAndPort.exec(text) ?? [];
  const hostname = name === undefined ? undefined : URL.parse(`http://${name}/`)?.hostname;
  if (hostname === undefined || hostname === "" || Number(port) > 65_535) return null;
  return {
    hostname: hostname.replace(/\.$/, ""),
    port: port === "" ? "" : String(Number(port)),
  };
}

/**
 * Returns a host as the address of a page spells it, with its port unless that is 443; `null` for
 * what names no single host.
 */
export function comparableHost(text: string): string | null {
  const authority = parseAuthority(text);
  if (authority === null) return null;
  const { hostname, port } = authority;
  return port === "" || port === "443" ? hostname : `${hostname}:${port}`;
}
