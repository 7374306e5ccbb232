import type { StoreFault } from "../../config/telemetry/log-event.ts";

/** The store did not answer before the deadline; whether it has carried the operation out is unknown. */
export class StoreTimeout extends Error {
  override readonly name = "StoreTimeout";

  constructor(deadlineMs: number) {
    super(`The store did not answer within ${deadlineMs} ms.`);
  }
}

/**
 * What made an operation fail: by the code of the error, or by its first word, which is the code in errors of Redis.
 * Clients without codes are known by the names of their errors.
 */
export function storeFaultOf(error: unknown): StoreFault {
  if (error instanceof StoreTimeout) return "timeout";
  if (!(error instanceof Error)) return "other";
  if (error instanceof AggregateError && error.errors.length > 0) {
    return storeFaultOf(error.errors[0]);
  }
  const code = "code" in error ? error.code : undefined;
  const errcode = "errcode" in error ? error.errcode : undefined;
  const [firstWord = ""] = error.message.split(" ", 1);
  const ofSQLite = sqliteCodesOf(errcode);
  for (const name of [code, ...ofSQLite, firstWord, error.constructor.name]) {
    const fault = faults.get(String(name));
    if (fault !== undefined) return fault;
  }
  if (String(code).startsWith("08")) return "refused";
  return lostConnection.test(error.message) ? "refused" : "other";
}

/** SQLite gives more exact codes in the higher bytes. */
function sqliteCodesOf(errcode: unknown): readonly string[] {
  return typeof errcode === "number" ? [`SQLite ${errcode}`, `SQLite ${errcode & 0xff}`] : [];
}

/** What ioredis and pg say, whose errors have neither code nor name of their own. */
const lostConnection =
  /^Connection (?:is closed|terminated|lost)|^timeout exceeded when trying to connect/i;

const faults: ReadonlyMap<string, StoreFault> = new Map(
  Object.entries({
    // Node
    ECONNREFUSED: "refused",
    ECONNRESET: "refused",
    EPIPE: "refused",
    ENOTFOUND: "refused",
    EAI_AGAIN: "refused",
    EHOSTUNREACH: "refused",
    ENETUNREACH: "refused",
    ETIMEDOUT: "timeout",
    // node-redis and ioredis
    ClientClosedError: "refused",
    ClientOfflineError: "refused",
    DisconnectsClientError: "refused",
    SocketClosedUnexpectedlyError: "refused",
    SocketTimeoutError: "refused",
    SocketTimeoutDuringMaintenanceError: "refused",
    ConnectionTimeoutError: "timeout",
    CommandTimeoutError: "timeout",
    TimeoutError: "timeout",
    MaxRetriesPerRequestError: "refused",
    ClusterAllFailedError: "refused",
    // Redis and Valkey
    LOADING: "refused",
    CLUSTERDOWN: "refused",
    MASTERDOWN: "refused",
    READONLY: "read-only",
    NOREPLICAS: "read-only",
    MISCONF: "oom",
    OOM: "oom",
    // PostgreSQL
    "25006": "read-only",
    "53100": "oom",
    "53200": "oom",
    "53300": "refused",
    "57014": "timeout",
    "57P01": "refused",
    "57P02": "refused",
    "57P03": "refused",
    // PostgreSQL clients
    CONNECTION_CLOSED: "refused",
    CONNECTION_DESTROYED: "refused",
    CONNECTION_ENDED: "refused",
    CONNECT_TIMEOUT: "timeout",
    // SQLite: the file is gone
    ENOENT: "refused",
    // SQLite: locked by another process, which reads are not; read-only; full, and writing to a disk beyond a quota
    "SQLite 5": "read-only",
    "SQLite 6": "read-only",
    "SQLite 8": "read-only",
    "SQLite 13": "oom",
    "SQLite 778": "oom",
    "SQLite 1034": "oom",
    "SQLite 4874": "oom",
  } as const),
);
