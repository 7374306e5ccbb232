import { browserHeaders, type Want } from "../measure/browser-headers.ts";
import { type Answer, openLoad } from "../measure/load.ts";
import { cpuTimeByRound, type Subject } from "../measure/rounds.ts";
import { isProgramName, type Paths, type ProgramName } from "../programs.ts";
import type { Beside, Opened, World } from "../world.ts";
import { type Comparison, type Measured, messageOf, namesIn, worthMaking } from "./case.ts";
import { templateOf } from "./template.ts";

/** One kind of request. */
export interface RequestKind {
  readonly path: keyof Paths;
  readonly want: Want;
  readonly signedIn: boolean;
}

/** One kind of request, sent to several servers. */
export interface Requests extends RequestKind {
  readonly title: string;
  readonly comparisons: readonly Comparison[];
  /** The cookies that are used at all of them in turn; by default each is asked with that of who has signed in there. */
  readonly cookies?: (world: World) => Promise<readonly string[]>;
}

/** A server under one kind of request. */
export interface RequestSubject extends Subject {
  /** What it answered to the first one. */
  readonly answer: Answer;
  /** Closes the connections. */
  end(): Promise<void>;
}

/** The floor under a server: it opens and seals, and gives the same answer. */
export function floorOf(name: ProgramName): string {
  return `floor under ${name}`;
}

/** The same as a fetch handler behind @hono/node-server, as both of our forms are. */
export function fetchFloorOf(name: ProgramName): string {
  return `floor as fetch handler under ${name}`;
}

/** Nothing but HTTP with the same answer. */
export function bareOf(name: ProgramName): string {
  return `bare node:http under ${name}`;
}

const floors = [
  [floorOf, "servers/floor.js"],
  [fetchFloorOf, "servers/fetch-floor.js"],
  [bareOf, "servers/bare.js"],
] as const;

/**
 * CPU time per request of every server that is compared, floors included; a server that cannot be had is left
 * out, with a remark.
 */
export async function measureRequests(world: World, requests: Requests): Promise<Measured> {
  const { title } = requests;
  const comparisons = worthMaking(world, requests.comparisons);
  const names = namesIn(comparisons);
  const remarks: string[] = [];
  const subjects: RequestSubject[] = [];
  const shared = await requests.cookies?.(world);
  for (const name of names.filter(isProgramName)) {
    try {
      const opened = await world.open(name);
      const cookies = shared ?? [opened.cookie];
      const subject = await requestSubject(opened, requests, cookies);
      subjects.push(subject);
      for (const [nameOf, file] of floors) {
        if (!names.includes(nameOf(name))) continue;
        const floor = { paths: opened.paths, cookies, name: nameOf(name), file };
        subjects.push(await floorSubject(world, floor, subject, requests));
      }
    } catch (error) {
      remarks.push(`${title}: ${messageOf(error)}`);
    }
  }
  const figures = await cpuTimeByRound(subjects, world.effort);
  await Promise.all(subjects.map((subject) => subject.end()));
  return { title, unit: "µs", figures, comparisons, remarks };
}

/**
 * Opens the connections and sends a first request.
 *
 * @throws {Error} when it is answered otherwise than a person in that state has to be
 */
export async function requestSubject(
  { name, server, origin, paths }: Beside & { readonly name: string; readonly paths: Paths },
  { path: place, want, signedIn }: RequestKind,
  cookies: readonly string[],
): Promise<RequestSubject> {
  const headers = browserHeaders(want, origin);
  const load = openLoad({ origin, path: paths[place], headers, cookies: signedIn ? cookies : [] });
  const answer = await load.once();
  if ((answer.status === 200) !== (signedIn && place !== "login")) {
    throw new Error(`${name} answered ${answer.status} to ${paths[place]}`);
  }
  return {
    name,
    answer,
    cpuMicros: async () => (await server.usage()).cpuMicros,
    work: (count) => load.send(count),
    end: () => load.close(),
  };
}

interface Floor extends Pick<Opened, "paths"> {
  readonly cookies: readonly string[];
  readonly name: string;
  readonly file: string;
}

async function floorSubject(
  world: World,
  { name, file, paths, cookies }: Floor,
  above: RequestSubject,
  kind: RequestKind,
): Promise<RequestSubject> {
  const env = { BENCH_TEMPLATE: JSON.stringify(templateOf(above.answer)) };
  const beside = await world.startBeside(file, name, env);
  const subject = await requestSubject({ ...beside, name, paths }, kind, cookies);
  assertSameForm(name, subject.answer, above.answer);
  await subject.work(world.effort.firstRequests);
  return {
    ...subject,
    async end() {
      await subject.end();
      await beside.server.stop();
    },
  };
}

/** A floor that answered less than the server above it would be no floor of it. */
function assertSameForm(title: string, floor: Answer, above: Answer): void {
  const form = ({ headers, body }: Answer) =>
    JSON.stringify([
      Object.entries(headers).map(([name, value]) => [name, String(value).length]),
      body,
    ]);
  const [one, other] = [floor, above].map(form).map((text) => text.length);
  if (one !== other) throw new Error(`${title} does not answer the same bytes`);
}
