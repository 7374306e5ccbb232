/**
 * Three processes of one app. Their connections to the store break and hang, and the processes
 * pause, while requests of one user need a refresh. If a refresh token comes twice, the provider
 * revokes everything.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { findRedis, startRedis } from "../packages/latchkey/test/servers/redis.ts";
import type { Instances } from "../packages/latchkey/test/refresh/soak/instances.ts";
import { soak } from "../packages/latchkey/test/refresh/soak/soak.ts";
import { seededRandom } from "../packages/latchkey/test/seeded-random.ts";
import { startProxy, type TCPProxy } from "../packages/latchkey/test/servers/tcp-proxy.ts";
import { reportResult } from "./report.ts";

const requests = 16;

export async function soakFaults(rounds: number): Promise<void> {
  const program = findRedis();
  if (program === null) throw new Error("There is no Redis here. npm test unpacks one.");
  const redis = await startRedis(program);
  const wires = await Promise.all([0, 1, 2].map(() => startProxy(redis.port)));
  try {
    const store = wires.map(({ port }) => `redis://127.0.0.1:${port}`);
    const trouble = troubleOn(wires);
    const figures = await soak({ store, rounds, requests, secondsLeft: 5, trouble });
    const { wrongResponses, tokenCalls, refusedCalls, outcomes, seconds } = figures;
    reportResult(
      "wires break and processes stop",
      {
        "every token is spent once": tokenCalls === rounds && refusedCalls === 0,
        "everybody gets a good token, at the latest afterwards": wrongResponses.length === 0,
      },
      { rounds, tokenCalls, refusedCalls, outcomes, seconds, wrongResponses },
    );
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
    await redis.close();
  }
}

/** A random fault of one instance. */
function troubleOn(wires: readonly TCPProxy[]): (instances: Instances) => Promise<unknown> {
  const below = seededRandom(1);

  async function during(ms: number, begin: () => void, end: () => void): Promise<void> {
    begin();
    await sleep(ms);
    end();
  }

  return async (instances) => {
    const place = below(wires.length);
    const wire = wires[place];
    await sleep(below(40));
    switch (below(4)) {
      case 0:
        return wire?.reset();
      case 1:
        return wire?.cutNextAnswer();
      case 2:
        return during(
          below(900),
          () => wire?.hold(true),
          () => wire?.hold(false),
        );
      default:
        return during(
          below(2500),
          () => instances.signal(place, "SIGSTOP"),
          () => instances.signal(place, "SIGCONT"),
        );
    }
  };
}
