import { onSessionEnd } from "../ends/on-session-end.ts";
import { accessErrorOfSession, explainRules, firstStepUp } from "../principal/access-rules.ts";
import { checkOrigin } from "../request/guard/check-origin.ts";
import { warnOfOtherHost, warnOfPlainRequest } from "../request/other-host.ts";
import { warnOfTokenWithoutAPI } from "../request/token-without-api.ts";
import { errorResponse } from "../routes/error-response.ts";
import { activeSession } from "../session/read-session.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import { leadOf, refuse, type SessionCall, signInFor } from "./refuse.ts";
import { respondWith, withSession } from "./respond-with-session.ts";
import type { Call, GuardedCall, Scheme } from "./scheme.ts";
import { SessionAuth } from "./session-auth.ts";

export interface Schemes {
  /** Admits or answers a request by the first scheme that recognizes it. */
  receive(call: GuardedCall): Promise<Received>;
  /** Admits a request that the app guards itself. */
  admit(call: Call): Promise<AdmittedRequest>;
}

/**
 * Creates the list of schemes. The session comes last and recognizes every request: a token counts
 * before a cookie.
 */
export function createSchemes(others: readonly Scheme[]): Schemes {
  return {
    async receive(call) {
      const received = await firstOf(others, (scheme) => scheme.receive(call));
      if (typeof received === "object") return received;
      const isGuarded = call.isGuarded && received === "passed";
      return receiveBySession({ ...call, isGuarded }, others);
    },
    async admit(call) {
      const admitted = await firstOf(others, (scheme) => scheme.admit(call));
      return admitted === "passed" ? admitBySession(call, others) : admitted;
    },
  };
}

/** Returns what the first scheme says that recognizes a request; `passed` if none does. */
async function firstOf<Said>(
  schemes: readonly Scheme[],
  say: (scheme: Scheme) => Promise<Said | "passed">,
): Promise<Said | "passed"> {
  for (const scheme of schemes) {
    // oxlint-disable-next-line no-await-in-loop -- the next one gets what this one passes
    const said = await say(scheme);
    if (said !== "passed") return said;
  }
  return "passed";
}

/**
 * Admits a request by its session, or leads it to sign-in.
 *
 * @param others - the schemes that have passed it on
 */
async function receiveBySession(call: GuardedCall, others: readonly Scheme[]): Promise<Received> {
  const { context, exchange, target, rules, isGuarded } = call;
  const ofSession: SessionCall = { context, exchange, target, others };
  if (!isGuarded) return receivePublic(ofSession);
  try {
    const result = await exchange.use();
    if (result.state !== "active") {
      warnOfUnknownCaller(ofSession);
      const stepUp = firstStepUp(explainRules(context, null, rules));
      return await respondWith(context, exchange, signInFor(ofSession, result, stepUp));
    }
    checkOrigin(context.config, exchange.request);
    const refusal = accessErrorOfSession(context, result.stored, rules);
    const response = refusal && refuse({ ...ofSession, by: "guard" }, refusal);
    if (response !== null) return await respondWith(context, exchange, response);
    return { admitted: admit(ofSession) };
  } catch (error) {
    return respondWith(context, exchange, errorResponse(context, exchange, "guard", error));
  }
}

/** A public path has its changes checked, too, if the request has a session. */
async function receivePublic(call: SessionCall): Promise<Received> {
  const { context, exchange } = call;
  const admitted = await admitUnguarded(call);
  try {
    if (await admitted.carriesSession()) checkOrigin(context.config, exchange.request);
    return { admitted };
  } catch (error) {
    return respondWith(context, exchange, errorResponse(context, exchange, "guard", error));
  }
}

/** Admits a request that the app guards itself. */
function admitBySession(
  { context, exchange, target }: Call,
  others: readonly Scheme[],
): Promise<AdmittedRequest> {
  return admitUnguarded({ context, exchange, target, others });
}

/** If the store fails, only reading the session throws. */
async function admitUnguarded(call: SessionCall): Promise<AdmittedRequest> {
  await call.exchange.read().catch(() => undefined);
  return admit(call);
}

/** In production, health probes use the address of an instance. */
function warnOfUnknownCaller({ context, exchange: { request }, others }: SessionCall): void {
  if (context.config.production) return;
  warnOfOtherHost(context, request);
  warnOfPlainRequest(context, request);
  if (others.length === 0) warnOfTokenWithoutAPI(context.warnings, request);
}

function admit(call: SessionCall): AdmittedRequest {
  const { context, exchange } = call;
  let onRefused: (error: unknown) => void = () => undefined;
  return {
    request: exchange.request,
    exchange,
    auth: new SessionAuth(context, exchange, (error) => onRefused(error)),
    carriesSession: () =>
      exchange.read().then(
        ({ state }) => state !== "none",
        () => false,
      ),
    async resources() {
      const stored = activeSession(await exchange.read());
      return stored === null ? [] : context.connections.ofSession(stored.header).resources;
    },
    commit: () => exchange.commit(),
    onRefused: (listener) => void (onRefused = listener),
    onSessionEnd: (listener) => onSessionEnd(context, exchange, listener),
    leadOf: (error) => leadOf(call, error),
    recover(error) {
      const response = refuse({ ...call, by: "app" }, error);
      return response && withSession(context, exchange, response);
    },
  };
}
