/** The servers that tests need, for machines that have none. */
import {
  findPgBouncer,
  findPostgres,
  unpackedPgBouncer,
  unpackedPostgres,
} from "../../packages/latchkey/test/postgres.ts";
import { findHAProxy, unpackedHAProxy } from "../../packages/latchkey/test/haproxy.ts";
import { findNginx, unpackedNginx } from "../../packages/latchkey/test/nginx.ts";
import { findPrometheus, unpackedPrometheus } from "../../packages/latchkey/test/prometheus.ts";
import { findRedis, unpackedRedis } from "../../packages/latchkey/test/redis.ts";
import { type DebianPrograms, unpackPrograms } from "./debian-packages.ts";

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
    folder: unpackedRedis,
  },
  {
    name: "PostgreSQL",
    find: findPostgres,
    packages: ["postgresql"],
    programs: ["initdb", "postgres"],
    folder: unpackedPostgres,
  },
  {
    name: "PgBouncer",
    find: findPgBouncer,
    packages: ["pgbouncer"],
    programs: ["pgbouncer"],
    folder: unpackedPgBouncer,
  },
  {
    name: "nginx",
    find: findNginx,
    packages: ["nginx"],
    programs: ["nginx"],
    folder: unpackedNginx,
  },
  {
    name: "HAProxy",
    find: findHAProxy,
    packages: ["haproxy"],
    programs: ["haproxy"],
    folder: unpackedHAProxy,
  },
  {
    name: "Prometheus",
    find: findPrometheus,
    packages: ["prometheus"],
    programs: ["prometheus", "promtool"],
    folder: unpackedPrometheus,
    unneeded: ["usr/share"],
  },
];

const missing = () => servers.filter(({ find }) => find() === null);

/** Unpacks what is missing. */
export function provideServers(): void {
  for (const server of missing()) {
    console.log(`Getting ${server.name} for the tests that need it (once) ...`);
    unpackPrograms(server);
  }
}

/** What to do for the tests that were skipped; `undefined` where none was. */
export function remedyForServers(): string | undefined {
  const names = missing().map(({ name }) => name);
  return names.length === 0 ? undefined : `install ${names.join(" and ")} to run them`;
}
