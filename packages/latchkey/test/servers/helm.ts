import { findProgram, unpacked } from "./programs.ts";

/** Returns the Helm of this machine, or `null` without one. */
export function findHelm(): string | null {
  return findProgram("helm", ["/usr/bin", "/usr/local/bin", unpacked("helm")]);
}
