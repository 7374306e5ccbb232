/** The servers that tests need, for machines that have none. */
import {
  findPgBouncer,
  findPostgres,
  unpackedPgBouncer,
  unpackedPostgres,
} from "../../packages/latchkey/test/postgres.ts";
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
];

const missing = () => servers.filter(({ find }) => find() === null);

/** Unpacks what is missing. */
export function provideServers(): void {
  for (const server of missing()) {
    console.log(`Getting ${server.name} for the tests of its store (once) ...`);
    unpackPrograms(server);
  }
}

/** What to do for the tests that were skipped; `undefined` where none was. */
export function remedyForServers(): string | undefined {
  const names = missing().map(({ name }) => name);
  return names.length === 0 ? undefined : `install ${names.join(" and ")} to run them`;
}
