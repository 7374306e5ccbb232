/** The address of a Redis server, and the credentials for it. */
export interface RedisAddress {
  readonly kind: "single" | "cluster" | "sentinel";
  readonly hosts: readonly RedisHost[];
  /** What the sentinels call the primary. */
  readonly name: string;
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database?: number;
}

export interface RedisHost {
  readonly host: string;
  readonly port: number;
}

const form =
  /^redis(?<tls>s?)(?:\+(?<kind>cluster|sentinel))?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^@/]*))?@)?(?<hosts>[^@/?]+)(?:\/(?<path>[\w-]*))?$/;
const hostForm = /^(?<host>\[[\da-f:]+\]|[\w.-]+)(?::(?<port>\d{1,5}))?$/i;

/**
 * Reads `redis://user:password@host:port/database`, `redis+cluster://host:port,host:port` and
 * `redis+sentinel://host:port,host:port/name`; with `rediss` over TLS.
 *
 * @throws {TypeError} which repeats nothing of the address
 */
export function parseRedisAddress(address: string): RedisAddress {
  const parts = form.exec(address)?.groups;
  if (parts === undefined) throw new TypeError("is not the address of a Redis");
  const { kind, user = "", password, hosts = "", path = "" } = parts;
  const isSentinel = kind === "sentinel";
  if (!isSentinel && !/^\d*$/.test(path)) throw new TypeError("names no database of a Redis");
  return {
    kind: kind === "cluster" || kind === "sentinel" ? kind : "single",
    hosts: hosts.split(",").map((host) => parseHost(host, isSentinel ? 26_379 : 6379)),
    name: isSentinel && path !== "" ? path : "mymaster",
    tls: parts["tls"] === "s",
    ...(user === "" ? {} : { username: decodeURIComponent(user) }),
    ...(password === undefined ? {} : { password: decodeURIComponent(password) }),
    ...(isSentinel || path === "" ? {} : { database: Number(path) }),
  };
}

function parseHost(text: string, defaultPort: number): RedisHost {
  const { host, port } = hostForm.exec(text)?.groups ?? {};
  if (host === undefined) throw new TypeError("names a host that cannot be read");
  return {
    host: host.replaceAll(/[[\]]/g, ""),
    port: port === undefined ? defaultPort : Number(port),
  };
}
