import { ambient } from "../config/ambient.ts";
import { version } from "../config/constants.ts";
import type { LogEvent, SignOutReason } from "../config/telemetry/log-event.ts";
import type { Telemetry } from "../config/telemetry/telemetry.ts";
import { encodeBase64url } from "../crypto/base64url.ts";
import { keyedHash } from "../crypto/digest.ts";

/** One line of the audit: who was signed in or out, when, why, and by whom. Its fields are stable. */
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
    | "sign-out-undone"
    | "sign-in-refused"
    | "refresh-refused"
    | "sessions-ended"
    | "key-ring-changed";
  readonly outcome: "success" | "failure" | "pending";
  readonly reason?: string | undefined;
  /** When it takes effect, in ISO 8601, where the person may take it back until then. */
  readonly effectiveAt?: string | undefined;
  /** A keyed hash of issuer and `sub`, or the `sub` itself. */
  readonly person?: string | undefined;
  /** The first eight characters of the session's id. */
  readonly session?: string | undefined;
  /**
   * A keyed hash of issuer and `sid`, the provider's name of its session: a logout token may name nothing else, and the
   * sign-in with the same one tells who it was.
   */
  readonly providerSession?: string | undefined;
  /** Who brought it about: `self`, `provider`, `system`, or `operator:` and their name. */
  readonly by: string;
  /**
   * The `jti` of a logout token, the session (eight characters) of the device that ended others, ids of keys, or the
   * reference that the person was shown.
   */
  readonly cause?: string | undefined;
  readonly issuer: string;
  readonly client: string;
  readonly instance?: string | undefined;
  readonly version: string;
  /** Who asked, where the setting `clientAddressHeader` wants it told. */
  readonly ip?: string | undefined;
  /** Their `User-Agent`, shortened. */
  readonly agent?: string | undefined;
}

/** For {@link createAudit}. */
export interface AuditOptions {
  /** Receives each record as one line of JSON, without a line break. Must not throw. */
  readonly write: (line: string) => void;
  readonly issuer: string;
  readonly client: string;
  /** Hashes people: with the same key the same person has the same hash. At least 16 characters. */
  readonly key: string;
  /** `hash` by default: whoever reads the audit cannot tell who it was, unless they know whom to look for. */
  readonly person?: "hash" | "sub";
  /** Which process this is. */
  readonly instance?: string;
  /** Epoch milliseconds. */
  readonly clock?: () => number;
}

/** Of whom an event tells, by the names that the engine and the provider have for them. */
interface Names {
  readonly sub?: string | undefined;
  readonly session?: string | undefined;
  readonly sid?: string | undefined;
}

type Facts = Pick<AuditRecord, "action" | "outcome" | "by"> &
  Partial<Pick<AuditRecord, "reason" | "effectiveAt" | "cause">> &
  Names;

const shortestKey = 16;

/**
 * Writes a record for everything that makes or ends a session, or refuses to. Pass it as `telemetry`.
 *
 * @throws {TypeError} where the key is too short: who a hash stands for could be guessed
 */
export function createAudit(options: AuditOptions): Pick<Required<Telemetry>, "onEvent"> {
  const { key, write, clock = ambient.clock } = options;
  if (key.length < shortestKey) {
    throw new TypeError(`The key of the audit needs at least ${shortestKey} characters.`);
  }
  return {
    onEvent(event) {
      const facts = factsOf(event);
      if (facts === null) return;
      const { address: ip, userAgent: agent } = event.client ?? {};
      write(JSON.stringify({ ...recordOf(facts, options, clock()), ip, agent }));
    },
  };
}

/** What was done to somebody in this matter is found by this, and by nobody without the key. */
export function personHash(key: string, issuer: string, sub: string): string {
  return keyedHash(key, JSON.stringify([issuer, sub]));
}

function recordOf(
  { sub, session, sid, ...facts }: Facts,
  options: AuditOptions,
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
    session: shortened(session),
    providerSession: sid === undefined ? undefined : personHash(key, issuer, sid),
    issuer,
    client,
    instance,
    version,
  };
}

function shortened(session: string | undefined): string | undefined {
  return session?.slice(0, 8);
}

/** `null` for events that are nothing to an auditor. */
function factsOf(event: LogEvent): Facts | null {
  switch (event.event) {
    case "sign-in":
    case "sign-out-undone":
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
      const { reason, cause, pending, effectiveAt } = event;
      return {
        action: actionOf(reason),
        outcome: pending === true ? "pending" : "success",
        by: byOf(reason, cause),
        reason,
        effectiveAt: effectiveAt === undefined ? undefined : isoTime(effectiveAt),
        ...namesIn(event),
        cause: byDevice.has(reason) ? shortened(cause) : cause,
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

/** @param seconds - since the epoch */
function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
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
    case "expired":
      return "system";
    default:
      return "self";
  }
}
