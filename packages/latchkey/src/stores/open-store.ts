import { ConfigError } from "../errors/config-error.ts";
import type { Store } from "./store.ts";

/**
 * Opens the store at an address: `memory:`, `sqlite:<file>`, or `redis://…` with its kin
 * `rediss://…`, `redis+cluster://…` and `redis+sentinel://…`, which need the package `redis`, or
 * `postgres://…`, which needs the package `pg`.
 *
 * @throws {ConfigError} with one fault, which names the scheme of the address only: the rest may
 * hold a password
 */
export async function openStore(address: string): Promise<Store> {
  try {
    return await openAddress(address);
  } catch (error) {
    const text = error instanceof Error ? error.message : "cannot be opened";
    throw new ConfigError([
      {
        option: "store",
        variable: "LATCHKEY_STORE",
        message: address === "" ? text : text.replaceAll(address, "the address"),
        seen: schemeOf(address),
        remedy:
          "Set memory:, sqlite:<file>, redis://host:port or postgres://host:port/database, and see that it can be reached.",
      },
    ]);
  }
}

function schemeOf(address: string): string {
  return /^[a-z]+(?:\+[a-z]+)?:/i.exec(address)?.[0] ?? "no scheme";
}

async function openAddress(address: string): Promise<Store> {
  if (address === "memory:") return memoryOfProcess();
  if (address.startsWith("sqlite:") && address.length > "sqlite:".length) {
    const { sqliteStore } = await importSQLite();
    return sqliteStore(address.slice("sqlite:".length));
  }
  if (/^rediss?(?:\+\w+)?:\/\//.test(address)) {
    return (await import("./redis/open-redis.ts")).openRedis(address);
  }
  if (/^postgres(?:ql)?:\/\//.test(address)) {
    return (await import("./postgres/open-postgres.ts")).openPostgres(address);
  }
  throw new TypeError("is not the address of a store");
}

async function importSQLite() {
  try {
    return await import("./sqlite.ts");
  } catch (cause) {
    throw new Error("needs node:sqlite, which Node 22.18 and newer have", { cause });
  }
}

const place = Symbol.for("latchkey/memory");

/**
 * The memory of a process is one store, and lasts as long. A development server loads the file of
 * the sign-in again after each edit, which must sign no user out.
 */
async function memoryOfProcess(): Promise<Store> {
  const { memoryStore } = await import("./memory.ts");
  const process = globalThis as { [place]?: Store };
  process[place] ??= { ...memoryStore(), close: () => undefined };
  return process[place];
}
