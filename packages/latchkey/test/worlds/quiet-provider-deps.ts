import { createBackground } from "../../src/background.ts";
import { ambient } from "../../src/config/ambient.ts";
import type { ProviderDeps } from "../../src/oidc/provider.ts";

/** What a provider needs beside settings, clock and network, for tests that are not about it. */
export const quietProviderDeps: Omit<ProviderDeps, "config" | "fetch" | "clock"> = {
  timing: ambient,
  fraction: () => 0.5,
  log: () => undefined,
  background: createBackground(),
};
