import { browserHeaders } from "../measure/browser-headers.ts";
import { openLoad } from "../measure/load.ts";
import { isProgramName, type ProgramName } from "../programs.ts";
import type { World } from "../world.ts";
import { againstPeers } from "./agreed.ts";
import { type Case, messageOf, namesIn, worthMaking } from "./case.ts";

const requestsQuick = 2000;
const requestsThorough = 10_000;
const roundsThorough = 3;

/** Resident memory of a fresh process after its first answer, and after thousands of requests. */
export const memory: Case = {
  name: "memory",
  async measure(world) {
    const remarks: string[] = [];
    const idle = new Map<string, number[]>();
    const loaded = new Map<string, number[]>();
    const names = namesIn(worthMaking(world, againstPeers(0.5))).filter(isProgramName);
    for (let round = 0; round < (world.quick ? 1 : roundsThorough); round += 1) {
      for (const name of names) {
        try {
          const found = await measureOne(world, name);
          idle.set(name, [...(idle.get(name) ?? []), found.idle]);
          loaded.set(name, [...(loaded.get(name) ?? []), found.loaded]);
        } catch (error) {
          if (round === 0) remarks.push(`Memory: ${messageOf(error)}`);
        }
      }
    }
    return [
      {
        title: "memory when idle",
        unit: "MB",
        figures: idle,
        comparisons: worthMaking(world, againstPeers()),
        remarks,
      },
      {
        title: "memory after load",
        unit: "MB",
        figures: loaded,
        comparisons: worthMaking(world, againstPeers(0.5)),
      },
    ];
  },
};

async function measureOne(world: World, name: ProgramName) {
  const { cookie, paths } = await world.open(name);
  const { server, origin } = await world.startAgain(name);
  const headers = browserHeaders("data", origin);
  const load = openLoad({ origin, path: paths.api, headers, cookies: [cookie] });
  await load.once();
  const idle = (await server.usage()).residentBytes / 1e6;
  await load.send(world.quick ? requestsQuick : requestsThorough);
  const loaded = (await server.usage()).residentBytes / 1e6;
  await load.close();
  await server.stop();
  return { idle, loaded };
}
