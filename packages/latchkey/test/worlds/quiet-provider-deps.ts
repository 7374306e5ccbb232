import { createBackground } from "../../src/time/background.ts";
import { ambient } from "../../src/ambient.ts";
import type { IssuerDeps } from "../../src/oidc/issuer/issuer.ts";

/** Dependencies of a provider apart from settings, clock and network, for unrelated tests. */
export const quietProviderDeps: Omit<IssuerDeps, "fetch" | "clock"> = {
  timing: ambient,
  fraction: () => 0.5,
  log: () => undefined,
  background: createBackground(),
};
