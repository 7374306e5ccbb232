import { cpuTimeByRound } from "../measure/rounds.ts";
import { strangers } from "../measure/strangers.ts";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";
import { requestSubject } from "./requests.ts";

const title = "authenticated API by size of the session";
const sizes = [
  ["0.5 kB", 500],
  ["2.6 kB", 2600],
  ["16 kB", 16_000],
] as const;

/** Our server, asked with sessions of several sizes. */
export const sessionSize: Case = {
  name: "session-size",
  async measure(world) {
    const subjects = await Promise.all(
      sizes.map(async ([name, bytes]) => ({ ...(await subjectOf(world, bytes)), name })),
    );
    const figures = await cpuTimeByRound(subjects, world.effort);
    await Promise.all(subjects.map(({ end }) => end()));
    const comparisons = [
      { of: "0.5 kB", to: "2.6 kB" },
      { of: "16 kB", to: "2.6 kB", bar: 3 },
    ];
    return [{ title, unit: "µs", figures, comparisons }];
  },
};

async function subjectOf(world: World, bytes: number) {
  const opened = await world.open("latchkey");
  const kind = { path: "api", want: "data", signedIn: true } as const;
  return requestSubject(opened, kind, await strangers(world, bytes));
}
