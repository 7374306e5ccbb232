import type { SessionLifetime } from "../config/config.ts";
import { timesOf } from "./lifetime.ts";
import type { Session, StoredSession } from "./session.ts";

/** Returns a session as an app sees it. */
export function toSession({ header, data }: StoredSession, lifetime: SessionLifetime): Session {
  return { ...data, times: timesOf(header, lifetime) };
}
