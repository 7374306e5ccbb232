import { readCompactJWS } from "../../crypto/compact-jws.ts";
import { isNumericDate, type JSONObject } from "../../crypto/json-object.ts";
import { type Check, type CheckList, runChecks } from "../checks/check.ts";
import type { Connection } from "../connection.ts";
import { tenantCheck } from "../issuer/tenants.ts";
import { emailDomainCheck } from "./email-checks.ts";
import { organizationClaim, ownOrganizationCheck } from "./organization.ts";
import { ownAcrCheck } from "./step-up.ts";

/** A sign-in as its session remembers it. */
export interface KeptSignIn {
  /** When the browser went to the provider, in epoch milliseconds; absent if that is not known. */
  readonly started?: number | undefined;
  /** When the user authenticated, in epoch seconds. */
  readonly authTime?: number | undefined;
  readonly acr?: string | undefined;
}

interface SignInFacts {
  readonly connection: Pick<Connection, "acr" | "clockTolerance" | "maxAge">;
  readonly started: number | undefined;
  readonly claims: JSONObject;
}

/** The setting of the connection at a later time than that of the sign-in. */
const ownMaxAgeCheck: Check<SignInFacts> = {
  name: "auth_time",
  reason: "step_up_unmet",
  applies: ({ connection: { maxAge }, started }) => maxAge !== undefined && started !== undefined,
  holds: ({ connection: { maxAge = 0, clockTolerance }, started = 0, claims: { auth_time: at } }) =>
    // The session keeps it in whole seconds.
    isNumericDate(at) && at + 1 + maxAge + clockTolerance >= started / 1000,
  expected: ({ connection: { maxAge } }) => `at most ${maxAge} s before the sign-in`,
  actual: ({ claims }) => claims["auth_time"],
  refusal: ({ connection: { maxAge } }) => ({
    unmet: [{ part: "maxAge", required: [String(maxAge)] }],
  }),
};

/** How the user signed in: no refresh changes it. */
export const keptSignInChecks: CheckList<SignInFacts> = {
  title: "Sign-in of the session",
  checks: [
    /** Before its sign-in the user had authenticated as recently as the connection demands now. */
    ownMaxAgeCheck,
    /** The user had authenticated as the connection demands now. */
    ownAcrCheck,
  ],
};

/**
 * Checks whether the sign-in of a session is good enough for its connection, whose settings may
 * have changed since.
 *
 * @throws {Refusal} `step_up_unmet`
 */
export function checkKeptSignIn(
  connection: SignInFacts["connection"],
  { started, authTime, acr }: KeptSignIn,
): void {
  runChecks(keptSignInChecks, { connection, started, claims: { auth_time: authTime, acr } });
}

type ByUser =
  | "domains"
  | "identityClaimFilter"
  | "organization"
  | "otherEmails"
  | "revealDomains"
  | "tenants";

interface UserFacts {
  readonly connection: Pick<Connection, ByUser>;
  readonly client: Pick<Connection, "tenants">;
  readonly claims: JSONObject;
}

/** Who signed in, by the new ID token, by the session, or by the ID token that it keeps. */
export const keptUserChecks: CheckList<UserFacts> = {
  title: "User of the session",
  checks: [
    /** The user belongs to the organization of the connection. */
    ownOrganizationCheck,
    /** The user belongs to an admitted tenant. */
    tenantCheck,
    /** The email address, if there is one, has a domain of the connection. */
    emailDomainCheck,
  ],
};

/** What is known of the user of a session. */
export interface KnownUser {
  /** The claims in the session. */
  readonly user: JSONObject;
  /** Its ID token, if it keeps one. */
  readonly idToken?: string | undefined;
  /** Those of a new ID token; `null` without one. */
  readonly claims: JSONObject | null;
}

/**
 * Checks whether the user of a session is one for its connection, whose settings may have changed
 * since the sign-in.
 *
 * @throws {Refusal} `organization_mismatch`, `tenant_not_admitted`, `email_domain_mismatch`
 */
export function checkKnownUser(
  connection: Pick<Connection, ByUser>,
  { user, idToken, claims }: KnownUser,
): void {
  // It was verified when it came, and has been sealed since.
  const ofSignIn = readCompactJWS(idToken)?.payload;
  const known = { ...ofSignIn, ...user, ...claims };
  const { identityClaimFilter, organization, tenants } = connection;
  // What the settings keep out of a session says nothing by its absence.
  const isHidden = (name: string) =>
    claims === null && !Object.hasOwn(known, name) && identityClaimFilter.includes(name);
  const isVisible = organization !== undefined && !isHidden(organizationClaim(organization).name);
  runChecks(keptUserChecks, {
    connection: { ...connection, organization: isVisible ? organization : undefined },
    client: { tenants: isHidden("tid") ? undefined : tenants },
    claims: known,
  });
}
