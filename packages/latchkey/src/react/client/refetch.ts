import { nextRefetchAt } from "./cached-session.ts";
import { type ClientState, receiveFailure, receiveResponse } from "./client-state.ts";
import { fetchSession } from "./fetch-session.ts";
import { RequestError } from "./request-error.ts";
import { clockOffsetOf } from "./session-times.ts";

/** Tabs that become active at the same moment send their requests spread over this time. */
const spreadMs = 150;
/**
 * Timers stop while a device sleeps, so the client compares the clock this often, and less often
 * while hidden.
 */
const heartbeatMs = 5_000;
const hiddenHeartbeatMs = 60_000;

/** A tab waits this long for the response to another tab's request, and checks this often. */
export const responseWaitMs = 1_500;
const lookEveryMs = 20;

/**
 * Sets the one timer. Tabs share responses and are due at the same moment, so each adds a random
 * wait. Comparing the clock detects a device that slept or whose clock was set.
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

/** Returns device milliseconds; -Infinity while nothing is known. */
function dueAt({ notBefore, refetchBy, cached, page, clock }: ClientState): number {
  const next = nextRefetchAt(cached, page.isVisible(), clock.now());
  return Math.max(notBefore, Math.min(refetchBy, next));
}

/** Schedules a refetch after `delayMs` at the latest. */
export function refetchWithin(client: ClientState, delayMs: number): void {
  client.refetchBy = Math.min(client.refetchBy, client.clock.now() + Math.max(0, delayMs));
  scheduleRefetch(client);
}

/** Requests the session without extending it. `false`: the server was not reached. */
export function refetch(client: ClientState): Promise<boolean> {
  return shareRequest(client, "refetching");
}

/** Extends the session. `false`: the server was not reached. */
export function extend(client: ClientState): Promise<boolean> {
  return shareRequest(client, "extending");
}

/** Sends one request of a kind at a time; concurrent callers share its result. */
function shareRequest(client: ClientState, kind: "refetching" | "extending"): Promise<boolean> {
  const send = kind === "extending" ? extendInOneTab : request;
  client[kind] ??= send(client).finally(() => {
    client[kind] = undefined;
    scheduleRefetch(client);
  });
  return client[kind];
}

/**
 * If several tabs extend at the same moment, one sends the request. The others wait for its
 * response, and send their own if none comes.
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
