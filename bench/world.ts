import { type RunningProvider, startProvider } from "@latchkey/provider";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, createBrowser } from "./measure/browser.ts";
import { browserHeaders } from "./measure/browser-headers.ts";
import { openLoad } from "./measure/load.ts";
import { person } from "./measure/person.ts";
import type { Effort } from "./measure/rounds.ts";
import { type ServerProcess, startServer } from "./measure/server-process.ts";
import { type Paths, type Program, type ProgramName, programs, secret } from "./programs.ts";
import { takeSnapshot } from "./snapshot.ts";

/** A server that runs at an address. */
export interface Beside {
  readonly server: ServerProcess;
  readonly origin: string;
}

/** A server that runs, and the cookies of the person who signed in there. */
export interface Opened extends Beside {
  readonly name: ProgramName;
  readonly paths: Paths;
  readonly cookie: string;
}

/** What the cases share: one provider, one browser, and every server that was asked for once. */
export interface World {
  readonly effort: Effort;
  /** A short run, that is to say. */
  readonly quick: boolean;
  /** A folder that goes when the run ends. */
  readonly folder: string;
  readonly browser: Browser;
  /** The server with a person signed in; the same one each time. Rejects where it cannot be had. */
  open(name: ProgramName): Promise<Opened>;
  /** One more process of the same server, at another address. */
  startAgain(name: ProgramName): Promise<Beside>;
  /** Starts a server that knows no provider: a floor. */
  startBeside(file: string, name: string, env: Readonly<Record<string, string>>): Promise<Beside>;
  environmentOf(name: ProgramName): Environment;
  close(): Promise<void>;
}

export interface WorldSettings {
  readonly effort: Effort;
  readonly quick: boolean;
  /** Where the profiles of our servers go, if they are wanted. */
  readonly profileFolder: string | undefined;
}

type Environment = Readonly<Record<string, string>>;

const names = Object.keys(programs) as ProgramName[];
const firstPort = 5200;
const firstPortAgain = 5230;
const firstPortBeside = 5260;
const portsBeside = 30;
const providerPort = 5299;
const client = { id: "bench", secret: "bench-client-secret-0123456789abcdef" };

export async function openWorld(settings: WorldSettings): Promise<World> {
  const { effort, quick } = settings;
  const provider = await startBenchProvider();
  const folder = await mkdtemp(path.join(tmpdir(), "latchkey-bench-"));
  await takeSnapshot(folder);
  const browser = createBrowser(person.sub);
  const opened = new Map<ProgramName, Promise<Opened>>();
  const running: ServerProcess[] = [];
  let besides = 0;

  const environment = (name: ProgramName, port: number) =>
    environmentFor(programs[name], { port, folder, issuer: provider.issuer });

  async function open(name: ProgramName): Promise<Opened> {
    const [{ file, paths }, port] = [programs[name], portOf(name)];
    const program = { name, file: path.join(folder, file), env: environment(name, port) };
    const server = await startServer(program, profiling(name, settings));
    running.push(server);
    const origin = originOf(port);
    await browser.open(origin + paths.login);
    // The first answers after a sign-in may still tidy up after it.
    await browser.open(origin + paths.me);
    await browser.open(origin + paths.page);
    const cookie = browser.cookiesFor(origin);
    await warmUp({ origin, path: paths.api, cookie, count: effort.firstRequests });
    return { name, server, origin, paths, cookie };
  }

  return {
    effort,
    quick,
    folder,
    browser,
    environmentOf: (name) => environment(name, portOf(name)),
    open(name) {
      const known = opened.get(name) ?? open(name);
      opened.set(name, known);
      return known;
    },
    async startAgain(name) {
      const port = firstPortAgain + names.indexOf(name);
      const file = path.join(folder, programs[name].file);
      const server = await startServer({ name, file, env: environment(name, port) });
      return { server, origin: originOf(port) };
    },
    async startBeside(file, name, more) {
      const port = firstPortBeside + (besides++ % portsBeside);
      const env = { ...more, PORT: `${port}`, LATCHKEY_SECRET: secret };
      const program = { name, file: path.join(folder, file), env };
      return { server: await startServer(program), origin: originOf(port) };
    },
    async close() {
      await Promise.all(running.map((server) => server.stop()));
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One provider with one client, which every server is. */
async function startBenchProvider(): Promise<RunningProvider> {
  const redirectURIs = names.map((name) => originOf(portOf(name)) + programs[name].paths.callback);
  const clients = [{ ...client, redirectURIs }];
  try {
    return await startProvider({ port: providerPort, people: [person], clients });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    const sentence = `Port ${providerPort} is taken, perhaps by another run of the benchmark.`;
    throw new Error(sentence, { cause: error });
  }
}

interface WarmUp {
  readonly origin: string;
  readonly path: string;
  readonly cookie: string;
  readonly count: number;
}

async function warmUp({ origin, path: place, cookie, count }: WarmUp): Promise<void> {
  const headers = browserHeaders("data", origin);
  const load = openLoad({ origin, path: place, headers, cookies: [cookie] });
  await load.send(count);
  await load.close();
}

interface Surroundings {
  readonly port: number;
  readonly folder: string;
  readonly issuer: string;
}

/** All servers are told the same, by the same variables; what a program has of its own goes before. */
function environmentFor(program: Program, { port, folder, issuer }: Surroundings): Environment {
  const own = Object.entries(program.env ?? {});
  return {
    HOST: "localhost",
    PORT: `${port}`,
    LATCHKEY_BASE_URL: originOf(port),
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CLIENT_ID: client.id,
    LATCHKEY_CLIENT_SECRET: client.secret,
    LATCHKEY_SECRET: secret,
    ...Object.fromEntries(own.map(([name, text]) => [name, text.replace("<folder>", folder)])),
  };
}

function profiling(name: ProgramName, { profileFolder }: WorldSettings): readonly string[] {
  const isOurs = /latchkey|web/u.test(name);
  if (profileFolder === undefined || !isOurs) return [];
  const fileName = `${name.replaceAll(/\W+/gu, "-")}.cpuprofile`;
  return ["--cpu-prof", `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${fileName}`];
}

function portOf(name: ProgramName): number {
  return firstPort + names.indexOf(name);
}

function originOf(port: number): string {
  return `http://localhost:${port}`;
}
