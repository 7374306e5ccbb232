import type { Subject } from "./rounds.ts";

/** Work in this very process; all of its threads count, since some libraries do their work in others. */
export function ownWork(name: string, once: () => unknown): Subject {
  return {
    name,
    async cpuMicros() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    async work(count) {
      for (let each = 0; each < count; each += 1) await once();
    },
  };
}
