import { browserHeaders } from "../measure/browser-headers.ts";
import { type HTTPResponse, openLoad } from "../measure/load.ts";
import { cpuTimeByRound, type Figures, type Subject } from "../measure/rounds.ts";
import type { RunningServer, Testbed } from "../testbed.ts";
import { sealingAll, type Template, templateOf } from "./template.ts";

/** A server under one kind of request. */
export interface RequestSubject extends Subject {
  /** The first response. */
  readonly response: HTTPResponse;
  /** The cookies of the first request. */
  readonly cookie: string;
  close(): Promise<void>;
}

/** @throws {Error} if the first request has another status than 200 */
export async function requestSubject(
  { name, process, origin, inTurn }: RunningServer,
  path: string,
  headersFor = browserHeaders,
): Promise<RequestSubject> {
  const load = openLoad({ origin, path, headers: headersFor(origin), inTurn });
  return {
    name,
    response: await load.once(),
    cookie: inTurn[0]?.["cookie"] ?? "",
    cpuMicros: async () => (await process.usage()).cpuMicros,
    work: (count) => load.send(count),
    close: () => load.close(),
  };
}

/** Starts the floor for a server: the same response, with the whole session sealed again. */
export async function floorUnder(
  testbed: Testbed,
  { response, cookie }: RequestSubject,
  path: string,
): Promise<RequestSubject> {
  const template = sealingAll(templateOf(response), cookie);
  const env = { BENCH_TEMPLATE: JSON.stringify(template) };
  const floor = await requestSubject(await testbed.startAnother("the floor", env), path);
  if (sizeOf(templateOf(floor.response)) !== sizeOf(template)) {
    throw new Error("The response of the floor has another size than its template");
  }
  return floor;
}

/** Leaves out the headers from Node itself: servers keep connections for different times. */
function sizeOf(template: Template): number {
  return JSON.stringify(template).length;
}

/** CPU time of one request, round by round, after V8 has compiled what each server needs. */
export async function measureRequests(
  { effort }: Testbed,
  subjects: readonly RequestSubject[],
): Promise<Figures> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const subject of subjects) await subject.work(effort.warmUpRequests);
  const figures = await cpuTimeByRound(subjects, effort);
  await Promise.all(subjects.map((subject) => subject.close()));
  return figures;
}
