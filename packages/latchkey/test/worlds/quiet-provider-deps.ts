import { createBackground } from "../../src/background.ts";
import { ambient } from "../../src/ambient.ts";
import type { ProviderDeps } from "../../src/oidc/provider.ts";

/** Dependencies of a provider apart from settings, clock and network, for unrelated tests. */
export const quietProviderDeps: Omit<ProviderDeps, "config" | "fetch" | "clock"> = {
  timing: ambient,
  fraction: () => 0.5,
  log: () => undefined,
  background: createBackground(),
};
