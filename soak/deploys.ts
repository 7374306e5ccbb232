/**
 * A crowd that is signed in, at three instances of the web application that are replaced one after the other, as long as there
 * are requests.
 */
import { ask, type CrowdFigures, gather } from "../e2e/crowd.ts";
import type { Instance } from "../e2e/instances.ts";
import { startSite } from "../e2e/site.ts";
import { tell } from "./tell.ts";

const people = 1000;

export async function soakDeploys(requests: number): Promise<void> {
  for (const isStateful of [false, true]) {
    // oxlint-disable-next-line no-await-in-loop -- two cores carry one at a time
    await soakOne(Math.ceil(requests / 2), isStateful);
  }
}

async function soakOne(requests: number, isStateful: boolean): Promise<void> {
  const settings = {
    LATCHKEY_SESSION_STATEFUL: String(isStateful),
    // The line that tells of the end of an instance is an ordinary one.
    LATCHKEY_LOG_LEVEL: "info",
  };
  const site = await startSite({ settings, checkouts: [undefined, undefined, undefined] });
  try {
    const crowd = await gather(site, people, { isStateful });
    const over = new AbortController();
    async function deploy(): Promise<readonly number[]> {
      const drainsMs: number[] = [];
      while (!over.signal.aborted) {
        const [leaving] = site.instances();
        if (leaving === undefined) break;
        // oxlint-disable-next-line no-await-in-loop -- one after the other is what a rolling deploy is
        await site.replace(leaving);
        drainsMs.push(drainMsOf(leaving));
      }
      return drainsMs;
    }
    const deploying = deploy();
    const figures = await ask(site, crowd, (sent) => sent < requests);
    over.abort();
    const drainsMs = await deploying;
    const failures = await site.failures();
    tell(
      `${requests} requests of ${people} people, sessions in ${isStateful ? "the store" : "cookies"}`,
      { ...heldFor(figures), "the balancer reaches an instance each time": failures === 0 },
      { ...figures, instancesReplaced: drainsMs.length, drainsMs, failures },
    );
  } finally {
    await site.close();
  }
}

/** For how long an instance that has ended went on; twice its delay where requests came until the last moment. */
function drainMsOf({ lines }: Instance): number {
  const line = lines.find((each) => each.includes('"event":"ended"'));
  return Number(JSON.parse(line ?? "{}").durationMs);
}

/** What must hold for a crowd, whatever is done to the instances. */
export function heldFor({ statuses, wrong, broken }: CrowdFigures) {
  return {
    "nobody sees another's page, and nobody is signed out": wrong.length === 0,
    "every response is 200": Object.keys(statuses).join() === "200",
    "no connection breaks": broken.length === 0,
  };
}
