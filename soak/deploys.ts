/**
 * A signed-in crowd at three instances of the web application. The soak replaces one after the
 * other while requests come.
 */
import { type CrowdFigures, gather, sendRequests } from "../e2e/crowd.ts";
import type { Instance } from "../e2e/instances.ts";
import { startSite } from "../e2e/site.ts";
import { reportResult } from "./report.ts";

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
    // The last line of an instance is no fault.
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
        // oxlint-disable-next-line no-await-in-loop -- a rolling deploy
        await site.replace(leaving);
        drainsMs.push(drainMsOf(leaving));
      }
      return drainsMs;
    }
    const deploying = deploy();
    const figures = await sendRequests(site, crowd, (sent) => sent < requests);
    over.abort();
    const drainsMs = await deploying;
    const failures = await site.failures();
    reportResult(
      `${requests} requests of ${people} people, sessions in ${isStateful ? "the store" : "cookies"}`,
      { ...requirementsOf(figures), "the balancer reaches an instance each time": failures === 0 },
      { ...figures, instancesReplaced: drainsMs.length, drainsMs, failures },
    );
  } finally {
    await site.close();
  }
}

/** Time until an instance ended; twice its delay if requests came until the last moment. */
function drainMsOf({ lines }: Instance): number {
  const line = lines.find((each) => each.includes('"event":"ended"'));
  return Number(JSON.parse(line ?? "{}").durationMs);
}

export function requirementsOf({ statuses, wrong, broken }: CrowdFigures) {
  return {
    "nobody sees another's page, and nobody is signed out": wrong.length === 0,
    "every response is 200": Object.keys(statuses).join() === "200",
    "no connection breaks": broken.length === 0,
  };
}
