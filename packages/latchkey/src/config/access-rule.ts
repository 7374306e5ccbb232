import * as v from "valibot";

import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { isUnder } from "../http/request-target.ts";
import { connectionIDForm } from "./constants.ts";
import { nearestName } from "./nearest-name.ts";
import { withoutTrailingSlashes } from "../http/trailing-slash.ts";

/** What a claim may be compared with. */
export type ClaimValue = string | number | boolean;

type OneOrMore<T> = T | readonly T[];

/** The requirements for a signed-in user. Every given part must hold. */
export interface AccessRequirements {
  /** Scopes of the access token granted by the provider: all of them. */
  readonly scope?: OneOrMore<string>;
  /**
   * For each claim, its value, or several allowed values. A claim with a list has each of its
   * members. Text never equals a number. `realm_access.roles` is the member `roles` of the claim
   * `realm_access`, unless a claim has the whole name.
   */
  readonly claim?: Readonly<Record<string, OneOrMore<ClaimValue>>>;
  /**
   * Organizations of the user, one of them: by `org_id` if it starts with `org_`, else by
   * `org_name`.
   */
  readonly organization?: OneOrMore<string>;
  /**
   * The longest time since the user authenticated at the provider, in seconds; `clockTolerance` is
   * added. After that, the user authenticates again.
   */
  readonly maxAge?: number;
  /**
   * The allowed values of `acr`. If the session has none of them, the provider is requested to
   * authenticate the user so.
   */
  readonly acr?: OneOrMore<string>;
  /**
   * The id of the connection with which the user signed in, or several allowed ones. A user of
   * another one is led to a sign-in there.
   */
  readonly connection?: OneOrMore<string>;
}

/** Who may go on: requirements as data, or a function that returns `true`. */
export type AccessRule<Session> = AccessRequirements | ((session: Session) => boolean);

/** One requirement. */
export type Requirement =
  | {
      readonly part: "scope" | "organization" | "acr" | "connection";
      readonly required: readonly string[];
    }
  | { readonly part: "claim"; readonly name: string; readonly required: readonly ClaimValue[] }
  | { readonly part: "maxAge"; readonly seconds: number };

const text = v.pipe(v.string("must be text"), v.nonEmpty("must not be empty"));
/** One word of a scope or of `acr_values` (RFC 6749, appendix A.4): spaces separate the lists. */
const word = v.pipe(text, v.regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, "must be one word"));
const connectionID = v.pipe(text, v.regex(connectionIDForm, "must be the id of a connection"));
const claimValue = v.union(
  [text, v.number(), v.boolean()],
  "must be text, a number, true or false, or a list of these",
);

// A present member with the value undefined is a mistake, not one requirement less.
const requirementsSchema = v.strictObject({
  scope: v.exactOptional(oneOrMore(word)),
  claim: v.exactOptional(
    v.record(
      text,
      oneOrMore(claimValue),
      'must be an object of claims, such as { "role": "admin" }',
    ),
  ),
  organization: v.exactOptional(oneOrMore(text)),
  maxAge: v.exactOptional(
    v.pipe(
      v.number("must be a number of seconds"),
      v.integer("must be a whole number of seconds"),
      v.minValue(0, "must not be negative"),
    ),
  ),
  acr: v.exactOptional(oneOrMore(word)),
  connection: v.exactOptional(oneOrMore(connectionID)),
});

const partNames = Object.keys(requirementsSchema.entries).join(", ");

function oneOrMore<T extends v.GenericSchema>(item: T) {
  const list = v.pipe(v.array(item), v.minLength(1, "must not be an empty list"));
  return v.pipe(
    v.union([item, list], "must be text, or a list of texts"),
    v.transform((value): v.InferOutput<T>[] => (Array.isArray(value) ? value : [value])),
  );
}

/**
 * Returns the requirements of a rule, one by one.
 *
 * @throws {TypeError} for an unknown part or a part without a value: then no user may go on
 */
export function requirementsOf(rule: unknown): readonly Requirement[] {
  if (rule instanceof Promise) throw noRule("it is a promise; await it first");
  if (!isPlain(rule)) throw noRule("it must be a function or a plain object");
  const parsed = v.safeParse(requirementsSchema, rule);
  if (!parsed.success) throw noRule(faultsOf(parsed.issues));
  checkComplete(rule, requirementsSchema.entries);
  const { scope, claim = {}, organization, maxAge, acr, connection } = parsed.output;
  checkComplete(rule["claim"] ?? {}, claim);
  const parts: readonly (Requirement | undefined)[] = [
    scope && { part: "scope", required: scope },
    ...Object.entries(claim).map(
      ([name, required]) => ({ part: "claim", name, required }) as const,
    ),
    organization && { part: "organization", required: organization },
    maxAge === undefined ? undefined : { part: "maxAge", seconds: maxAge },
    acr && { part: "acr", required: acr },
    connection && { part: "connection", required: connection },
  ];
  return parts.filter((each) => each !== undefined);
}

/** A promise, a list or a map is none: it would be a rule without any part. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The schema drops names such as `constructor`: what is dropped would not be required. */
function checkComplete(given: object, known: object): void {
  const dropped = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (dropped.length > 0) throw noRule(`${dropped.join(", ")} cannot be required`);
}

function noRule(why: string): TypeError {
  return new TypeError(`This is no access rule: ${why}.`);
}

function faultsOf(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .map((issue) => {
      const place = v.getDotPath(issue) ?? "";
      return `${place} ${issue.type === "strict_object" ? `is no part of one (those are ${partNames})` : issue.message}`;
    })
    .join("; ");
}

/** A rule for a path and everything below it. */
export interface PathRule<Session> {
  /** In lower case, without a slash at its end; empty for every path with sign-in. */
  readonly path: string;
  readonly rule: AccessRule<Session>;
}

/** Paths of sign-in which stay open whatever a rule says, in lower case. */
export interface OpenPaths {
  /** With everything below them. */
  readonly folders: readonly string[];
  /** The prefix of pages: a rule for all of it would cover open ones. */
  readonly pagesPrefix: string;
  readonly basePath: string;
}

/** What rules for paths must fit to. */
export interface RuleSurroundings {
  readonly open?: OpenPaths;
  /** The ids of all connections; absent if some are looked up. */
  readonly connections?: readonly string[] | undefined;
}

/**
 * Reads the rules of the option `accessRules`.
 *
 * @throws {ConfigError} with every fault
 */
export function createPathRules<Session>(
  given: Readonly<Record<string, AccessRule<Session>>> = {},
  { open, connections }: RuleSurroundings = {},
): readonly PathRule<Session>[] {
  if (!isPlain(given)) throw new ConfigError([faultAt("accessRules", notPlain)]);
  const faults = Object.entries(given).flatMap(([path, rule]) => {
    const message =
      faultOfPath(path) ?? faultOfRule(rule, connections) ?? (open && whyOpen(path, open)) ?? null;
    return message === null ? [] : [faultAt(`accessRules["${path}"]`, message)];
  });
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.entries(given).map(([path, rule]) => ({ path: ruledPath(path), rule }));
}

function ruledPath(given: string): string {
  return withoutTrailingSlashes(given.toLowerCase());
}

/** A rule for a path that stays open would do nothing. */
function whyOpen(given: string, open: OpenPaths): string | null {
  const ruled = ruledPath(given);
  const { folders, pagesPrefix, basePath } = open;
  const path = isUnder(basePath, ruled) ? ruled.slice(basePath.length) : ruled;
  if (path !== pagesPrefix && !folders.some((each) => isUnder(each, path))) return null;
  return "covers routes of sign-in, which stay open to everyone; give it to single pages instead";
}

const notPlain = "must be an object of paths and their rules; in the variable, as JSON";

function faultOfPath(path: string): string | null {
  if (/^\/(?!\/)[\w\-./~]*$/.test(path)) return null;
  return "must be a path of the app, such as /admin; its rule counts for all below it, too";
}

/**
 * Returns why no user could ever meet a rule; `null` if some can.
 *
 * @param connections - the ids of all connections; by default any may be there
 */
export function faultOfRule(rule: unknown, connections?: readonly string[]): string | null {
  if (typeof rule === "function") return isAsync(rule) ? asyncRule : null;
  try {
    const requirements = requirementsOf(rule);
    return connections === undefined ? null : unknownConnections(requirements, connections);
  } catch (error) {
    return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
  }
}

function unknownConnections(
  requirements: readonly Requirement[],
  known: readonly string[],
): string | null {
  const unknown = requirements
    .flatMap((each) => (each.part === "connection" ? each.required : []))
    .filter((id) => !known.includes(id));
  if (unknown.length === 0) return null;
  const nearest = nearestName(unknown[0] ?? "", known);
  const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
  return `requires the connection ${unknown.join(", ")}, which is not there${hint}`;
}

function isAsync(rule: object): boolean {
  return Object.prototype.toString.call(rule) === "[object AsyncFunction]";
}

const asyncRule = "is an async function: its promise admits no user; let it return true or false";

function faultAt(option: string, message: string): ConfigFault {
  return { option, variable: "LATCHKEY_ACCESS_RULES", message, remedy: "Change this rule." };
}

/** Returns whether a rule closes a public path; a rule for the whole app closes none. */
export function closes({ path }: PathRule<never>): boolean {
  return path !== "";
}
