import type { Config } from "../config/config.ts";
import type { PagesSite } from "../config/pages.ts";
import type { Runtime } from "../config/runtime.ts";
import type { Warnings } from "../context.ts";
import type { InForce } from "../crypto/in-force.ts";
import type { ReplaceableConnections } from "../oidc/connections.ts";
import type { RecentSessions } from "../session/recent-sessions.ts";
import type { GuardedStore } from "../stores/guard/guarded-store.ts";

/** What the engine uses of the process, of the providers and of the store. All sites share it. */
export interface Engine extends Omit<PagesSite, "hasSeveralWays" | "labelOf">, Runtime {
  /** As they count at the primary site. */
  readonly config: Config;
  readonly connections: ReplaceableConnections;
  /** Those that seal cookies and records; the first one is the newest. */
  readonly secrets: InForce<readonly string[]>;
  /** Guarded; `null` without a store. */
  readonly store: GuardedStore | null;
  readonly warnings: Pick<Warnings, "once">;
  readonly recent: RecentSessions;
}
