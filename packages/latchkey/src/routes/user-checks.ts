import type { CheckList } from "../oidc/checks/check.ts";
import { quote } from "../oidc/client-call.ts";
import type { Connection } from "../oidc/connection.ts";
import {
  emailConfirmedCheck,
  emailDomainCheck,
  type EmailFacts,
} from "../oidc/tokens/email-checks.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import { organizationCheck, ownOrganizationCheck } from "../oidc/tokens/organization.ts";
import { sessionExpiryChecks } from "../oidc/tokens/session-expiry.ts";
import { ownAcrCheck, stepUpCheck } from "../oidc/tokens/step-up.ts";
import type { Time } from "../oidc/tokens/token-claims.ts";
import { userTag } from "../session/session-handle.ts";
import type { Transaction } from "../transaction/transaction.ts";

interface Identities {
  /** The issuer that the authorization response names. */
  readonly named: string | undefined;
  readonly claims: IDTokenClaims;
  /** The claims of the ID token in the authorization response, if there are two. */
  readonly front: IDTokenClaims | null;
}

/** What the parts of a response say of the user together. */
export const identityChecks: CheckList<Identities> = {
  title: "ID token and authorization response",
  kind: "id_token",
  checks: [
    /** Of several tenants, the response names that of the ID token (RFC 9207, 2.4). */
    {
      name: "iss of the response and of the ID token",
      reason: "response_iss_mismatch",
      applies: ({ named }) => named !== undefined,
      holds: ({ named, claims }) => named === claims.iss,
      expected: ({ claims }) => claims.iss,
      actual: ({ named }) => named,
      refusal: ({ named = "", claims }) => ({
        detail: `the response names ${quote(named)}, the ID token ${claims.iss}`,
      }),
    },
    /** Both ID tokens of a sign-in are about one user (OpenID Connect Core 3.3.3.6). */
    {
      name: "Same user in both ID tokens",
      reason: "token_subject_changed",
      applies: ({ front }) => front !== null,
      holds: ({ front, claims }) => front?.sub === claims.sub && front.iss === claims.iss,
      expected: () => "yes",
      actual: ({ front, claims }) => (front?.sub === claims.sub ? "another iss" : "another sub"),
      refusal: () => ({ detail: undefined }),
    },
  ],
};

interface UserFacts {
  readonly claims: IDTokenClaims;
  readonly connection: Connection;
  readonly started: Pick<Transaction, "organization" | "proves" | "returnTo" | "stepUp" | "tenant">;
  readonly time: Time;
  /** What is wrong with the clock of this machine, by the provider's. */
  readonly clockFault: string | null;
}

/**
 * Whether a user with a good ID token is admitted. Userinfo changes no claim of it, so these checks
 * cover both.
 */
export const userChecks: CheckList<UserFacts> = {
  title: "User",
  kind: "id_token",
  checks: [
    /** A clock ahead of time would create sessions in the future, which no sign-out ends. */
    {
      name: "Clock of this machine",
      reason: "token_issued_at",
      holds: ({ claims: { iat }, time: { now, clockTolerance }, clockFault }) =>
        clockFault === null || Math.abs(now - iat) <= clockTolerance,
      expected: () => "that of the provider",
      actual: ({ clockFault }) => clockFault ?? "no other",
      refusal: ({ clockFault }) => ({ detail: clockFault ?? undefined }),
    },
    ownOrganizationCheck,
    /** The user belongs to the organization for which the sign-in was started. */
    organizationCheck(({ started }) => started.organization),
    /** The user authenticated as the connection demands (`acr`, OpenID Connect Core 2). */
    ownAcrCheck,
    /** If a session has to prove more, its own user does. The session stays otherwise. */
    {
      name: "User of the session",
      reason: "step_up_unmet",
      applies: ({ started: { proves } }) => proves !== undefined,
      holds: ({ claims, connection, started: { proves, tenant = claims["tid"] } }) =>
        userTag(connection.registration, claims.sub) === proves && claims["tid"] === tenant,
      expected: () => "the one who has to prove more",
      actual: () => "another one",
      refusal: ({ started: { returnTo } }) => ({
        detail: "another user than that of the session has signed in",
        page: "sign-in-refused",
        returnTo,
      }),
    },
    stepUpCheck,
    ...sessionExpiryChecks,
  ],
};

/**
 * Whether a user is admitted with the claims of userinfo, which may be the only ones with an email
 * address.
 */
export const profileChecks: CheckList<EmailFacts> = {
  title: "Email address",
  kind: "id_token",
  checks: [
    /** A provider for some domains must not bring users with addresses of others. */
    emailDomainCheck,
    emailConfirmedCheck,
  ],
};
