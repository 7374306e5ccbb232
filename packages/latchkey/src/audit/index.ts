import { ambient } from "../ambient.ts";
import { defaultID } from "../config/constants.ts";
import { version } from "../telemetry/version.ts";
import { checkOptions, type OptionForm } from "../config/option-forms.ts";
import type { LogEvent, SignOutReason } from "../telemetry/log-event.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { keyedHash } from "../crypto/digest.ts";
import { referenceOf } from "../telemetry/reference.ts";

/**
 * One line of the audit: a sign-in, a sign-out or a refusal, with time, user, reason and cause. Its
 * fields are stable.
 */
export interface AuditRecord {
  /** Of this form. */
  readonly v: 1;
  /** ISO 8601. */
  readonly time: string;
  /** Random; names this record. */
  readonly id: string;
  readonly action:
    | "sign-in"
    | "sign-out"
    | "sign-in-refused"
    | "refresh-refused"
    | "sessions-ended"
    | "key-ring-changed";
  readonly outcome: "success" | "failure" | "pending";
  readonly reason?: string | undefined;
  /** A keyed hash of issuer and `sub`, or the `sub` itself. */
  readonly person?: string | undefined;
  /** The reference of the session, e.g. `7F3K-92QD`, made of its id. */
  readonly session?: string | undefined;
  /**
   * A keyed hash of issuer and `sid`, the provider's name of its session. A logout token may
   * contain nothing else; the sign-in with the same hash has the user.
   */
  readonly providerSession?: string | undefined;
  /** Who brought it about: `self`, `provider`, `system`, or `operator:` and their name. */
  readonly by: string;
  /**
   * The `jti` of a logout token, the reference of the session of the device that ended others,
   * ids of keys, or the reference on the user's page.
   */
  readonly cause?: string | undefined;
  /** Those of the connection; absent if it is not at hand while the store is down. */
  readonly issuer?: string | undefined;
  readonly client?: string | undefined;
  /** The id of the connection, if there are several. */
  readonly connection?: string | undefined;
  /** The host of the base URL, if there are several. */
  readonly host?: string | undefined;
  readonly instance?: string | undefined;
  readonly version: string;
  /** The client, with the setting `clientAddressHeader`. */
  readonly ip?: string | undefined;
  /** Their `User-Agent`, shortened. */
  readonly agent?: string | undefined;
}

/** For {@link createAudit}. */
export interface AuditOptions {
  /** Receives each record as one line of JSON, without a line break. Must not throw. */
  readonly write: (line: string) => void;
  /** Issuer and client of records that name no connection. */
  readonly issuer: string;
  readonly client: string;
  /** Hashes people: with the same key the same person has the same hash. At least 16 characters. */
  readonly key: string;
  /** `hash` by default: readers of the audit recognize only users they look for. */
  readonly person?: "hash" | "sub";
  /** Which process this is. */
  readonly instance?: string;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

/** The user of an event, by the names of engine and provider. */
interface Names {
  readonly sub?: string | undefined;
  readonly session?: string | undefined;
  readonly sid?: string | undefined;
}

type Registered = Pick<AuditRecord, "client" | "issuer">;

type Facts = Pick<AuditRecord, "action" | "outcome" | "by"> &
  Partial<Pick<AuditRecord, "reason" | "cause">> &
  Names;

const shortestKey = 16;

const isText = (value: unknown): boolean => typeof value === "string";
const isFunction = (value: unknown): boolean => typeof value === "function";

const forms: Readonly<Record<keyof AuditOptions, OptionForm>> = {
  write: { expected: "must be a function", isGood: isFunction, isRequired: true },
  issuer: { expected: "must be text", isGood: isText, isRequired: true },
  client: { expected: "must be text", isGood: isText, isRequired: true },
  key: {
    expected: `must have at least ${shortestKey} characters`,
    isGood: (value) => typeof value === "string" && value.length >= shortestKey,
    isRequired: true,
    isSecret: true,
    remedy: "Pass a random text: with a short one, hashes of people could be guessed.",
  },
  person: {
    expected: "must be hash or sub",
    isGood: (value) => value === "hash" || value === "sub",
  },
  instance: { expected: "must be text", isGood: isText },
  clock: { expected: "must be a function", isGood: isFunction },
};

/**
 * Writes a record for everything that starts, ends or refuses a session. Pass it as `telemetry`.
 *
 * @throws {ConfigError} with every fault of the options
 */
export function createAudit(options: AuditOptions): Pick<Required<Telemetry>, "onEvent"> {
  checkOptions({ place: "audit", call: "createAudit()", options, forms });
  const { write, clock = ambient.clock } = options;
  return {
    onEvent(event) {
      const facts = factsOf(event);
      if (facts === null) return;
      const { address: ip, userAgent: agent } = event.client ?? {};
      const record = recordOf(facts, { ...options, ...registrationOf(event, options) }, clock());
      const { connection, host } = event;
      write(lineOf({ ...record, connection, host, ip, agent }));
    },
  };
}

/** Every provider may give its users any `sub`: a person is one of the issuer of the event. */
function registrationOf(
  { connection = defaultID, issuer, clientID }: LogEvent,
  options: Registered,
): Registered {
  if (clientID !== undefined) return { issuer, client: clientID };
  return connection === defaultID ? options : { issuer: undefined, client: undefined };
}

/** JSON leaves these three line separators as they are, and many readers of lines break there. */
const separators = /[\u0085\u2028\u2029]/g;

function lineOf(record: object): string {
  return JSON.stringify(record).replace(
    separators,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The hash of a user, which only a holder of the key can compute. */
export function personHash(key: string, issuer: string | undefined, sub: string): string {
  return keyedHash(key, JSON.stringify([issuer, sub]));
}

function recordOf(
  { sub, session, sid, ...facts }: Facts,
  options: Omit<AuditOptions, keyof Registered> & Registered,
  now: number,
): AuditRecord {
  const { issuer, client, instance, key, person = "hash" } = options;
  const name = person === "sub" || sub === undefined ? sub : personHash(key, issuer, sub);
  return {
    v: 1,
    time: new Date(now).toISOString(),
    id: encodeBase64url(ambient.random(12)),
    ...facts,
    person: name,
    session: shortenID(session),
    providerSession: sid === undefined ? undefined : personHash(key, issuer, sid),
    issuer,
    client,
    instance,
    version,
  };
}

function shortenID(session: string | undefined): string | undefined {
  return session === undefined ? undefined : referenceOf(session);
}

/** Returns `null` for events without interest for an auditor. */
function factsOf(event: LogEvent): Facts | null {
  switch (event.event) {
    case "sign-in":
      return { action: event.event, outcome: "success", by: "self", ...namesIn(event) };
    case "refusal": {
      if (event.route !== "login" && event.route !== "callback") return null;
      const { reason, reference } = event;
      return {
        action: "sign-in-refused",
        outcome: "failure",
        by: reason === "sign_in_cancelled" ? "self" : "system",
        reason,
        cause: reference,
      };
    }
    case "sign-out": {
      const { reason, cause, pending } = event;
      return {
        action: actionOf(reason),
        outcome: pending === true ? "pending" : "success",
        by: byOf(reason, cause),
        reason,
        ...namesIn(event),
        cause: byDevice.has(reason) ? shortenID(cause) : cause,
      };
    }
    case "sign-out-completed": {
      const { reason } = event;
      return { action: "sign-out", outcome: "success", by: "system", reason, ...namesIn(event) };
    }
    case "refresh": {
      const { outcome, reason } = event;
      if (outcome !== "refused") return null;
      const names = namesIn(event);
      return { action: "refresh-refused", outcome: "failure", by: "provider", reason, ...names };
    }
    case "key-ring-changed": {
      const outcome = event.outcome === "changed" ? "success" : "failure";
      return { action: "key-ring-changed", outcome, by: "system", cause: event.keyIds?.join(" ") };
    }
    default:
      return null;
  }
}

function namesIn({ sub, session, sid }: Names): Names {
  return { sub, session, sid };
}

const several: ReadonlySet<SignOutReason> = new Set([
  "backchannel",
  "frontchannel",
  "all",
  "operator",
]);

const byDevice: ReadonlySet<SignOutReason> = new Set(["device", "others", "all"]);

function actionOf(reason: SignOutReason): AuditRecord["action"] {
  return several.has(reason) ? "sessions-ended" : "sign-out";
}

function byOf(reason: SignOutReason, cause = ""): string {
  switch (reason) {
    case "backchannel":
    case "frontchannel":
      return "provider";
    case "operator":
      return `operator:${cause}`;
    case "ended":
    case "idle":
    case "max-age":
    case "unreadable":
    case "unproved":
    case "expired":
      return "system";
    default:
      return "self";
  }
}
