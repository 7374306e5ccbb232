import { browserHeaders, pageHeaders } from "../measure/browser-headers.ts";
import { openLoad } from "../measure/load.ts";
import { cpuTimeByRound, type Figures, type Subject } from "../measure/rounds.ts";
import type { RunningServer, Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { requestSubject } from "./request-subject.ts";

const paths = {
  "home page": "/",
  "account page": "/account",
  "devices page": "/devices",
  "sample page": "/sample?report=march",
} as const;

/** The cost of pages for a signed-in user, compared with the route of the claims. */
export const pages: Case = {
  name: "pages",
  title: "pages of the web application",
  unit: "µs",
  comparisons: Object.keys(paths).map((of) => ({ of, to: "me", bar: 5 })),
  async measure(testbed): Promise<Figures> {
    const server = await testbed.open("web application");
    const subjects = await Promise.all(
      Object.entries({ me: "/api/auth/me", ...paths }).map(([name, path]) =>
        pageSubject(server, name, path),
      ),
    );
    await warmUp(subjects, testbed.effort.warmUpRequests);
    return cpuTimeByRound(subjects, testbed.effort);
  },
};

const atOnce = 100;

/** Takes turns: V8 compiles the same functions again for another kind of page. */
async function warmUp(subjects: readonly Subject[], count: number): Promise<void> {
  for (let made = 0; made < count; made += atOnce * subjects.length) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const subject of subjects) await subject.work(atOnce);
  }
}

async function pageSubject(server: RunningServer, name: string, path: string): Promise<Subject> {
  const headers = name === "me" ? browserHeaders : pageHeaders;
  return { ...(await requestSubject(server, path, headers)), name };
}

const pagesAtFirst = 5000;
const pagesAfterwards = 15_000;
const budgetMB = 150;

/** Resident memory of a fresh process after 5,000 pages, and after 20,000. */
export const pageMemory: Case = {
  name: "page-memory",
  title: "memory under pages",
  unit: "MB",
  comparisons: [
    { of: "after 20,000 pages", to: "the budget", bar: 1 },
    { of: "after 20,000 pages", to: "after 5,000 pages", bar: 1.1 },
  ],
  async measure(testbed): Promise<Figures> {
    const { atFirst, afterwards } = await memoryOfOne(testbed);
    return new Map([
      ["the budget", [budgetMB]],
      ["after 5,000 pages", [atFirst]],
      ["after 20,000 pages", [afterwards]],
    ]);
  },
};

async function memoryOfOne(testbed: Testbed) {
  const { process, origin, inTurn } = await testbed.startAnother("web application");
  const headers = pageHeaders(origin);
  const load = openLoad({ origin, path: "/account", headers, inTurn });
  await load.send(pagesAtFirst);
  const atFirst = (await process.usage()).residentBytes / 1e6;
  await load.send(pagesAfterwards);
  const afterwards = (await process.usage()).residentBytes / 1e6;
  await load.close();
  await process.stop();
  return { atFirst, afterwards };
}
