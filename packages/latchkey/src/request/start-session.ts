import { type Context, logOf } from "../context.ts";
import { nowSeconds } from "../config/runtime.ts";
import type { Connection } from "../oidc/connection.ts";
import { grantedScope } from "../oidc/token-request.ts";
import { endOfAccessToken, type TokenResponse } from "../oidc/token-response.ts";
import type { IDTokenClaims } from "../oidc/tokens/id-token.ts";
import { issuerOfUser } from "../oidc/issuer/tenants.ts";
import { userClaims } from "../oidc/tokens/user-claims.ts";
import { type DeviceTrace, deviceTraceIn, withDeviceName } from "../session/device-trace.ts";
import { foundSession, type SessionResult } from "../session/read-session.ts";
import type { SessionData, StoredSession } from "../session/session.ts";
import { userTag } from "../session/session-handle.ts";
import { createIdentity } from "../session/create-identity.ts";
import type { SignInFacts } from "../session/sessions.ts";
import type { Exchange } from "./exchange.ts";
import { beforeSave } from "./hooks.ts";
import { deviceOfRequest } from "./device-of-request.ts";
import { checkSize } from "./session-size.ts";

/** What the provider has said of a person, verified. */
export interface SignIn {
  readonly claims: IDTokenClaims;
  readonly idToken: string;
  readonly tokens: TokenResponse | null;
  /** When the ID token came, in epoch milliseconds. */
  readonly receivedAt: number;
}

/** A sign-in of a person who may. */
export interface NewSession extends SignIn {
  /** With whom the user has signed in. */
  readonly connection: Connection;
  /** The claims, completed by userinfo. */
  readonly profile: IDTokenClaims;
  readonly facts: SignInFacts;
  /** The session it replaces, if the request cannot show it. */
  readonly replaces: string | undefined;
}

/**
 * Starts the session of a request, in the place of the former one of its browser.
 *
 * @throws {Refusal} `session_too_large`, or what the app's hooks and the store throw: then there is
 *   no session
 */
export async function startSession(
  context: Context,
  exchange: Exchange,
  signIn: NewSession,
): Promise<void> {
  const before = await exchange.read();
  const data = await newSessionData(context, exchange, signIn, before);
  const { connection, facts } = signIn;
  const written = await context.sessions.create(data, { connection, ...facts }, exchange.cookies);
  checkSize(context, written.setCookies, data);
  const replaced = await endPreviousSession(context, signIn, { before, by: written.stored });
  // From here on nothing may fail: a refused sign-in must not bring a session.
  exchange.keep(written);
  logSignIn(context, exchange, signIn, { ...written, replaced });
}

async function newSessionData(
  context: Context,
  { request }: Exchange,
  { connection, claims, profile, idToken, tokens }: NewSession,
  before: SessionResult,
): Promise<SessionData> {
  const { config, hooks } = context;
  const device = () => {
    const subTag = userTag(connection.registration, claims.sub);
    return deviceNamedBefore(before, subTag, deviceOfRequest(config, request));
  };
  const data: SessionData = {
    user: userClaims(connection, { ...profile, sub: claims.sub }),
    ...(config.session.storeIDToken ? { idToken } : {}),
    ...(tokens === null ? {} : tokenFields(connection, tokens, nowSeconds(context))),
    ...(config.session.stateful === true ? { device: device() } : {}),
  };
  if (hooks.afterCallback === undefined) {
    // Without a hook it is JSON as it came.
    return hooks.beforeSave === undefined ? data : beforeSave(context, data);
  }
  const issuer = issuerOfUser(connection.issuer, data.user);
  const identity = createIdentity({ issuer, sub: claims.sub, connection: connection.id });
  return beforeSave(context, await hooks.afterCallback(data, request, identity));
}

/** A browser keeps the name given by the same user. */
function deviceNamedBefore(before: SessionResult, subTag: string, trace: DeviceTrace): DeviceTrace {
  const former = before.state === "unproved" ? null : foundSession(before);
  if (former?.header.subTag !== subTag) return trace;
  return withDeviceName(trace, deviceTraceIn(former.data.device).name ?? "");
}

function tokenFields(
  connection: Connection,
  tokens: TokenResponse,
  now: number,
): Partial<SessionData> {
  const { accessToken, refreshToken, scope } = tokens;
  const end = endOfAccessToken(tokens, now);
  return {
    accessToken,
    accessTokenScope: grantedScope(connection, scope),
    ...(end === undefined ? {} : { accessTokenExpiresAt: end }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}

/** Ends the former session of this browser, and returns its id: copies of it must not live on. */
async function endPreviousSession(
  context: Context,
  { replaces }: NewSession,
  { before, by }: { readonly before: SessionResult; readonly by: StoredSession },
): Promise<string | undefined> {
  const { sessions, log } = context;
  const logEnd = (reason: "replaced" | "unproved", { data, header }: StoredSession) =>
    logOf(context, header)({ event: "sign-out", reason, sub: data.user.sub, session: header.id });
  if (before.state === "active") {
    await sessions.end(before.stored, "replaced");
    logEnd("replaced", before.stored);
    return before.stored.header.id;
  }
  if (isOwnUnproved(before, by)) {
    // It may be another browser: its user learns of the sign-in.
    await sessions.end(before.stored);
    logEnd("unproved", before.stored);
  }
  if (replaces !== undefined) {
    await sessions.end({ header: { id: replaces }, record: null }, "replaced");
    log({ event: "sign-out", reason: "replaced", session: replaces });
  }
  return replaces;
}

/** A copy of another user's cookie does not end that user's session. */
function isOwnUnproved(
  before: SessionResult,
  { header }: StoredSession,
): before is Extract<SessionResult, { state: "unproved" }> {
  return before.state === "unproved" && before.stored.header.subTag === header.subTag;
}

function logSignIn(
  context: Context,
  { request }: Exchange,
  { claims, connection, receivedAt, facts: { sid, started } }: NewSession,
  { stored, replaced }: { readonly stored: StoredSession; readonly replaced: string | undefined },
): void {
  const { data } = stored;
  const { id: session, subTag, sidTag } = stored.header;
  const { sub } = claims;
  // Among several connections, every event names the issuer as it is configured.
  const issuer = connection.named === undefined ? claims.iss : connection.registration.issuer;
  const durationMs = Math.max(0, receivedAt - started);
  context.log({ event: "sign-in", sub, issuer, session, sid, durationMs });
  const device = data.device ?? deviceOfRequest(context.config, request);
  context.onUserEvent({
    event: "signed-in",
    subTag,
    session,
    sidTag,
    device,
    connection: connection.named,
    replaced,
  });
}
