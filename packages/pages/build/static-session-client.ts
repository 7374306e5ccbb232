import { deviceClock } from "../../latchkey/src/react/client/browser/clock.ts";
import { initialCache } from "../../latchkey/src/react/client/cached-session.ts";
import { resolvePaths } from "../../latchkey/src/react/client/paths.ts";
import type {
  SessionActions,
  SessionClient,
  SessionClientOptions,
} from "../../latchkey/src/react/client/session-client.ts";

/** What effects and handlers call, which run in browsers only. */
type InBrowsers = keyof SessionActions | "subscribe" | "announceSignOut";

/** The session client of a rendering to text. */
export function createSessionClient(
  options: SessionClientOptions,
): Omit<SessionClient, InBrowsers> {
  const { state, lastResponseAt } = initialCache(options.initialSession, deviceClock);
  const now = () => Math.max(0, Math.floor(lastResponseAt));
  return {
    paths: resolvePaths("", options.paths),
    clock: deviceClock,
    getSnapshot: () => state,
    getServerSnapshot: () => state,
    now,
    getServerNow: now,
    lastResponseAt: () => lastResponseAt,
    lastError: () => undefined,
  };
}
