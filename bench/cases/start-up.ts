import { browserHeaders } from "../measure/browser-headers.ts";
import { openLoad } from "../measure/load.ts";
import { isProgramName, type ProgramName } from "../programs.ts";
import type { World } from "../world.ts";
import { againstPeers } from "./agreed.ts";
import { type Case, messageOf, namesIn, worthMaking } from "./case.ts";

const roundsQuick = 5;
const roundsThorough = 15;

/** From the start of the process to the first 200 for a person who was signed in before, by the clock on the wall. */
export const startUp: Case = {
  name: "start-up",
  async measure(world) {
    const comparisons = worthMaking(world, againstPeers(0.55));
    const remarks: string[] = [];
    const figures = new Map<ProgramName, number[]>();
    for (const name of namesIn(comparisons).filter(isProgramName)) {
      try {
        await timeToFirstAnswer(world, name);
        figures.set(name, []);
      } catch (error) {
        remarks.push(`Start-up: ${messageOf(error)}`);
      }
    }
    for (let round = 0; round < (world.quick ? roundsQuick : roundsThorough); round += 1) {
      for (const [name, times] of figures) times.push(await timeToFirstAnswer(world, name));
    }
    return [{ title: "start-up to the first 200", unit: "ms", figures, comparisons, remarks }];
  },
};

async function timeToFirstAnswer(world: World, name: ProgramName): Promise<number> {
  const { cookie, paths } = await world.open(name);
  const start = performance.now();
  const { server, origin } = await world.startAgain(name);
  const headers = browserHeaders("data", origin);
  const load = openLoad({ origin, path: paths.api, headers, cookies: [cookie] });
  const { status } = await load.once();
  const tookMs = performance.now() - start;
  await load.close();
  await server.stop();
  if (status !== 200) throw new Error(`${name} answered ${status} after its start`);
  return tookMs;
}
