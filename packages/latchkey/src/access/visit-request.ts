import { type Awaitable, orElse } from "../awaitable.ts";
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
export function visitRequest(context: Context, request: Request): Awaitable<OpenVisit> {
  return context.visits.of(request) ?? context.visits.keep(request, openVisit(context, request));
}

function openVisit(context: Context, request: Request): Awaitable<OpenVisit> {
  const { sessions, config } = context;
  const { lifetime, renewAfter } = config.session;
  const parts = { sessions, lifetime, rolling: lifetime.rolling !== null, renewAfter };
  return askStore(context, () => visitSession(parts, parseCookies(request), nowSeconds(context)));
}

/** Looks at the session of a request and changes nothing. */
export function peekAtSession(context: Context, request: Request): Awaitable<Found> {
  const { sessions, config } = context;
  const { lifetime } = config.session;
  return askStore(context, () =>
    findSession({ sessions, lifetime }, parseCookies(request), nowSeconds(context)),
  );
}

/**
 * Does what needs the store. Where that fails, the log learns why.
 *
 * @throws {Refusal} `store_unavailable`, or the one that the work itself throws
 */
export function askStore<T>({ log }: Context, work: () => Awaitable<T>): Awaitable<T> {
  return orElse(work, (cause) => {
    if (cause instanceof Refusal) throw cause;
    log({ event: "store-fault", error: cause });
    throw new Refusal("store_unavailable", { cause });
  });
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
  return context.visits.keep(request, visit);
}

/** The app's last word on what is written, without the names that are not its to use. */
export async function beforeSave({ hooks }: Context, data: SessionData): Promise<SessionData> {
  return storable(hooks.beforeSave === undefined ? data : await hooks.beforeSave(data));
}
