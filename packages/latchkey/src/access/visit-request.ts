import { type Context, nowSeconds } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { parseCookies } from "../http/cookies.ts";
import { type SessionData, storable, type StoredSession } from "../session/session.ts";
import { findSession, type Found, live, type OpenVisit, visitSession } from "../session/visit.ts";

/**
 * Reads, and by default renews, the session of a request: once, however often it is asked.
 *
 * @throws {Refusal} `store_unavailable`: without the store nobody can say whether a session still lives
 */
export function visitRequest(context: Context, request: Request): Promise<OpenVisit> {
  return context.visits.of(request) ?? context.visits.keep(request, openVisit(context, request));
}

async function openVisit(context: Context, request: Request): Promise<OpenVisit> {
  const { sessions, config } = context;
  const { lifetime, renewAfter } = config.session;
  try {
    return await visitSession(
      { sessions, lifetime, rolling: lifetime.rolling !== null, renewAfter },
      parseCookies(request),
      nowSeconds(context),
    );
  } catch (cause) {
    throw storeUnavailable(context, cause);
  }
}

/** Looks at the session of a request and changes nothing. */
export async function peekAtSession(context: Context, request: Request): Promise<Found> {
  const { sessions, config } = context;
  const { lifetime } = config.session;
  try {
    return await findSession({ sessions, lifetime }, parseCookies(request), nowSeconds(context));
  } catch (cause) {
    throw storeUnavailable(context, cause);
  }
}

/** What is thrown where the store has failed; the log learns why. */
export function storeUnavailable({ log }: Context, cause: unknown): Refusal {
  log({ event: "store-fault", error: cause });
  return new Refusal("store_unavailable", { cause });
}

/**
 * Keeps other data in the session of a request; later reads of the same request see it. `null` where the session
 * was ended meanwhile.
 */
export async function saveSession(
  context: Context,
  request: Request,
  data: SessionData,
): Promise<OpenVisit | null> {
  const { stored, cookies } = await visitRequest(context, request);
  if (stored === null) return null;
  const changed: StoredSession = { header: stored.header, data: await beforeSave(context, data) };
  const renewed = await context.sessions.renew(changed, cookies);
  if (renewed === null) return null;
  const { lifetime } = context.config.session;
  const visit = live({ lifetime }, renewed.session, cookies, renewed.setCookies);
  return context.visits.keep(request, Promise.resolve(visit));
}

/** The app's last word on what is written, without the names that are not its to use. */
export async function beforeSave({ hooks }: Context, data: SessionData): Promise<SessionData> {
  return storable(hooks.beforeSave === undefined ? data : await hooks.beforeSave(data));
}
