import { findProgram, unpacked } from "./programs.ts";

/** Returns the Caddy of this machine, or `null` without one. */
export function findCaddy(): string | null {
  return findProgram("caddy", ["/usr/bin", unpacked("caddy")]);
}
