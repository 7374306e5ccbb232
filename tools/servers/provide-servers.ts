/** Gets the servers for tests. */
import { findCaddy } from "../../packages/latchkey/test/servers/caddy.ts";
import { findHAProxy } from "../../packages/latchkey/test/servers/haproxy.ts";
import { findHelm } from "../../packages/latchkey/test/servers/helm.ts";
import { findNginx } from "../../packages/latchkey/test/servers/nginx.ts";
import { findPgBouncer, findPostgres } from "../../packages/latchkey/test/servers/postgres.ts";
import { unpacked } from "../../packages/latchkey/test/servers/programs.ts";
import { findPrometheus } from "../../packages/latchkey/test/servers/prometheus.ts";
import { findRedis } from "../../packages/latchkey/test/servers/redis.ts";
import { type DebianPrograms, unpackPrograms } from "./debian-packages.ts";
import { unpackHelm } from "./helm.ts";

interface TestServer extends DebianPrograms {
  readonly name: string;
  readonly find: () => string | null;
}

const servers: readonly TestServer[] = [
  {
    name: "Redis",
    find: findRedis,
    packages: ["redis-server", "redis-tools"],
    programs: ["redis-server"],
    folder: unpacked("redis"),
  },
  {
    name: "PostgreSQL",
    find: findPostgres,
    packages: ["postgresql"],
    programs: ["initdb", "postgres"],
    folder: unpacked("postgres"),
  },
  {
    name: "PgBouncer",
    find: findPgBouncer,
    packages: ["pgbouncer"],
    programs: ["pgbouncer"],
    folder: unpacked("pgbouncer"),
  },
  {
    name: "nginx",
    find: findNginx,
    packages: ["nginx"],
    programs: ["nginx"],
    folder: unpacked("nginx"),
  },
  {
    name: "HAProxy",
    find: findHAProxy,
    packages: ["haproxy"],
    programs: ["haproxy"],
    folder: unpacked("haproxy"),
  },
  {
    name: "Caddy",
    find: findCaddy,
    packages: ["caddy"],
    programs: ["caddy"],
    folder: unpacked("caddy"),
    unneeded: ["usr/share"],
  },
  {
    name: "Prometheus",
    find: findPrometheus,
    packages: ["prometheus"],
    programs: ["prometheus", "promtool"],
    folder: unpacked("prometheus"),
    unneeded: ["usr/share"],
  },
];

/** Not a server, and not in these packages. */
const helm = { name: "Helm", find: findHelm, folder: unpacked("helm") };

const missing = () => servers.filter(({ find }) => find() === null);

/** Unpacks the missing servers. */
export function provideServers(): void {
  for (const server of missing()) {
    console.log(`Getting ${server.name} for its tests (once) ...`);
    unpackPrograms(server);
  }
  if (helm.find() !== null) return;
  console.log(`Getting ${helm.name} for its tests (once) ...`);
  unpackHelm(helm.folder);
}

/** Returns how to run the skipped tests, or `undefined` if no server is missing. */
export function remedyForServers(): string | undefined {
  const names = [...servers, helm].filter(({ find }) => find() === null).map(({ name }) => name);
  return names.length === 0 ? undefined : `install ${names.join(" and ")} to run them`;
}
