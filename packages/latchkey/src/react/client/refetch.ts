import { nextRefetchAt } from "./cached-session.ts";
import { type ClientState, receiveFailure, receiveResponse } from "./client-state.ts";
import { fetchSession } from "./fetch-session.ts";
import { RequestError } from "./request-error.ts";
import { clockOffsetOf } from "./session-times.ts";

/** Tabs that become active at the same moment send their requests spread over this time. */
const spreadMs = 150;
/**
 * Timers stand still while a device sleeps: the clock is compared this often, and less often while
 * hidden.
 */
const heartbeatMs = 5_000;
const hiddenHeartbeatMs = 60_000;

/** A tab waits so long for the response to a request of another, and looks for it so often. */
export const responseWaitMs = 1_500;
const lookEveryMs = 20;

/**
 * Sets the one timer. Tabs that share responses are due at the same moment, so each waits a random
 * time more. A device that slept, or whose clock was corrected, is noticed by comparing the clock,
 * not by the timer itself.
 */
export function scheduleRefetch(client: ClientState): void {
  client.cancelTimer?.();
  client.cancelTimer = undefined;
  const due = dueAt(client);
  if (!client.channel || client.refetching || due === Infinity) return;
  if (due === -Infinity) return void refetch(client);
  const wait = Math.max(0, due - client.clock.now()) + client.random() * spreadMs;
  const heartbeat = client.page.isVisible() ? heartbeatMs : hiddenHeartbeatMs;
  client.cancelTimer = client.clock.after(Math.min(wait, heartbeat), () =>
    wait > heartbeat ? scheduleRefetch(client) : void refetch(client),
  );
}

/** In device milliseconds; -Infinity for a page that knows nothing yet. */
function dueAt({ notBefore, refetchBy, cached, page, clock }: ClientState): number {
  const next = nextRefetchAt(cached, page.isVisible(), clock.now());
  return Math.max(notBefore, Math.min(refetchBy, next));
}

/** Makes a refetch pending that is sent after `delayMs` at the latest. */
export function refetchWithin(client: ClientState, delayMs: number): void {
  client.refetchBy = Math.min(client.refetchBy, client.clock.now() + Math.max(0, delayMs));
  scheduleRefetch(client);
}

/** Asks the server without extending anything. `false`: it was not reached. */
export function refetch(client: ClientState): Promise<boolean> {
  return shared(client, "refetching");
}

/** Asks the server, which extends the session. `false`: it was not reached. */
export function extend(client: ClientState): Promise<boolean> {
  return shared(client, "extending");
}

/** One request of a kind at a time: whoever calls meanwhile shares its result. */
function shared(client: ClientState, kind: "refetching" | "extending"): Promise<boolean> {
  const requested = kind === "extending" ? extendInOneTab : request;
  client[kind] ??= requested(client).finally(() => {
    client[kind] = undefined;
    scheduleRefetch(client);
  });
  return client[kind];
}

/**
 * Where several tabs extend at the same moment, one of them sends the request. The others take its response, and ask
 * themselves where none comes.
 */
async function extendInOneTab(client: ClientState): Promise<boolean> {
  const { clock, channel, extendLock } = client;
  const locks = (navigator as Partial<Navigator>).locks ?? null;
  if (locks === null || channel === undefined) return request(client, true);
  const calledAt = clock.now();
  const extended = await locks.request(extendLock, { ifAvailable: true }, (lock) =>
    lock === null ? null : request(client, true),
  );
  if (extended !== null) return extended;
  while (clock.now() < calledAt + responseWaitMs) {
    if (client.extendedElsewhereAt >= calledAt) return true;
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    await new Promise<void>((resolve) => void clock.after(lookEveryMs, resolve));
  }
  return request(client, true);
}

async function request(client: ClientState, renew = false): Promise<boolean> {
  const requestedAt = client.clock.now();
  client.channel?.post({ requesting: true });
  try {
    const { state, clockOffset: known } = client.cached;
    const now = requestedAt / 1000 + known;
    const { peek, user, error } = await fetchSession(client.get, state, renew, now);
    const clockOffset = clockOffsetOf(known, peek.now, [requestedAt, client.clock.now()]);
    const response = { peek, user, requestedAt, clockOffset };
    receiveResponse(client, response);
    if (error) throw error;
    client.channel?.post({ response, ...(renew && { extended: true }) });
    client.lastError = undefined;
    return true;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    receiveFailure(client, error, requestedAt);
    return false;
  }
}
