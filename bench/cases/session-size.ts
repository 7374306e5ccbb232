import { cpuTimeByRound } from "../measure/rounds.ts";
import { strangers } from "../measure/strangers.ts";
import type { ProgramName } from "../programs.ts";
import type { World } from "../world.ts";
import { ourForms } from "./agreed.ts";
import type { Case } from "./case.ts";
import { requestSubject } from "./requests.ts";

const title = "authenticated API by size of the session";
const sizes = { "0.5 kB": 500, "2.6 kB": 2600, "16 kB": 16_000 };
type Size = keyof typeof sizes;

const nameOf = (form: ProgramName, size: Size) => `${form}, ${size}`;

/** Our servers, asked with sessions of several sizes. */
export const sessionSize: Case = {
  name: "session-size",
  async measure(world) {
    const subjects = await Promise.all(
      ourForms.flatMap((form) =>
        Object.entries(sizes).map(async ([size, bytes]) => ({
          ...(await subjectOf(world, form, bytes)),
          name: nameOf(form, size as Size),
        })),
      ),
    );
    const figures = await cpuTimeByRound(subjects, world.effort);
    await Promise.all(subjects.map(({ end }) => end()));
    const comparisons = ourForms.flatMap((form) => [
      { of: nameOf(form, "0.5 kB"), to: nameOf(form, "2.6 kB") },
      { of: nameOf(form, "16 kB"), to: nameOf(form, "2.6 kB"), bar: 3 },
    ]);
    return [{ title, unit: "µs", figures, comparisons }];
  },
};

async function subjectOf(world: World, form: ProgramName, bytes: number) {
  const opened = await world.open(form);
  const kind = { path: "api", want: "data", signedIn: true } as const;
  return requestSubject(opened, kind, await strangers(world, bytes));
}
