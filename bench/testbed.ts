import { type RunningProvider, startProvider } from "@latchkey/provider";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, createBrowser } from "./measure/browser.ts";
import { person } from "./measure/person.ts";
import type { Effort } from "./measure/rounds.ts";
import { type ServerProcess, startServer } from "./measure/server-process.ts";
import { sessionCookies } from "./measure/session-cookies.ts";
import { type Program, type ProgramName, programs } from "./programs.ts";

export interface RunningServer {
  readonly name: ProgramName;
  readonly process: ServerProcess;
  readonly origin: string;
  /** Headers of signed-in users, for requests to send in turn. */
  readonly inTurn: readonly Readonly<Record<string, string>>[];
}

/** One that a case has started for itself. */
export interface FurtherServer extends RunningServer {
  readonly env: Environment;
}

/** The shared parts of the cases: one provider, and each server once. */
export interface Testbed {
  readonly effort: Effort;
  /** The server, with a signed-in user; the first call starts it. */
  open(name: ProgramName): Promise<RunningServer>;
  /** Starts one more process of a server. The caller stops it. */
  startAnother(name: ProgramName, env?: Environment): Promise<FurtherServer>;
  createBrowser(): Browser;
  close(): Promise<void>;
}

export interface TestbedOptions {
  readonly effort: Effort;
  /** The folder of CPU profiles, if any. */
  readonly profileFolder: string | undefined;
}

type Environment = Readonly<Record<string, string>>;

const names = Object.keys(programs) as ProgramName[];
const firstPort = 5200;
/** Further processes have no sign-in: no redirect address names their ports. */
const firstFurtherPort = 5230;
const providerPort = 5299;
const client = { id: "bench", secret: "bench-client-secret-0123456789abcdef" };
const secret = "a-secret-of-the-benchmark-0123456789abcdefghij";

export async function openTestbed({ effort, profileFolder }: TestbedOptions): Promise<Testbed> {
  const provider = await startBenchProvider();
  const folder = await mkdtemp(path.join(tmpdir(), "latchkey-bench-"));
  const caFile = path.join(folder, "ca.pem");
  await writeFile(caFile, provider.caCertificate ?? "");
  const newBrowser = () => createBrowser({ sub: person.sub, ca: provider.caCertificate });
  const environmentOf = (name: ProgramName, port: number): Environment => ({
    HOST: "localhost",
    PORT: `${port}`,
    NODE_EXTRA_CA_CERTS: caFile,
    LATCHKEY_BASE_URL: originOf(port),
    LATCHKEY_ISSUER_BASE_URL: provider.issuer,
    LATCHKEY_CLIENT_ID: client.id,
    LATCHKEY_CLIENT_SECRET: client.secret,
    LATCHKEY_SECRET: secret,
    LATCHKEY_SESSION_RENEW_AFTER: "0",
    ...inFolder(programs[name], folder),
  });
  const servers = createServers({
    environmentOf,
    createBrowser: newBrowser,
    ourCookies: await sessionCookies(environmentOf("latchkey on node:http", firstPort)),
    profileFolder,
  });
  return {
    effort,
    createBrowser: newBrowser,
    open: servers.open,
    startAnother: servers.startAnother,
    async close() {
      await servers.stop();
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface ServersOptions {
  readonly environmentOf: (name: ProgramName, port: number) => Environment;
  /** Makes one browser for each server: a provider keeps one sign-in per browser. */
  readonly createBrowser: () => Browser;
  readonly ourCookies: readonly string[];
  readonly profileFolder: string | undefined;
}

function createServers(options: ServersOptions) {
  const { environmentOf, ourCookies, profileFolder } = options;
  const opened = new Map<ProgramName, Promise<RunningServer>>();
  const running: ServerProcess[] = [];
  let further = 0;

  async function open(name: ProgramName): Promise<RunningServer> {
    const { file, nodeArguments = [], signIn, isOurs = false }: Program = programs[name];
    const port = portOf(name);
    const program = { name, file, env: environmentOf(name, port) };
    const profiler = isOurs ? profiling(name, profileFolder) : [];
    const server = await startServer(program, [...nodeArguments, ...profiler]);
    running.push(server);
    const origin = originOf(port);
    const browser = options.createBrowser();
    if (signIn !== undefined) await browser.open(origin + signIn.login);
    const isPeer = signIn !== undefined && !isOurs;
    const cookies = isPeer ? [browser.cookiesFor(origin)] : ourCookies;
    return { name, process: server, origin, inTurn: cookies.map((cookie) => ({ cookie })) };
  }

  return {
    open(name: ProgramName): Promise<RunningServer> {
      const known = opened.get(name) ?? open(name);
      opened.set(name, known);
      return known;
    },
    async startAnother(name: ProgramName, more: Environment = {}): Promise<FurtherServer> {
      const port = firstFurtherPort + further++;
      const env = { ...environmentOf(name, port), ...more };
      const { file, nodeArguments }: Program = programs[name];
      const server = await startServer({ name, file, env }, nodeArguments);
      running.push(server);
      const ours = ourCookies.map((cookie) => ({ cookie }));
      const { inTurn } = (await opened.get(name)) ?? { inTurn: ours };
      return { name, process: server, origin: originOf(port), inTurn, env };
    },
    stop: () => Promise.all(running.map((server) => server.stop())),
  };
}

/** Starts one provider over https, with one client for all servers. */
async function startBenchProvider(): Promise<RunningProvider> {
  const redirectURIs = names.flatMap((name) => {
    const { signIn }: Program = programs[name];
    return signIn === undefined ? [] : [originOf(portOf(name)) + signIn.callback];
  });
  const clients = [{ ...client, redirectURIs }];
  try {
    return await startProvider({ port: providerPort, https: true, users: [person], clients });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    const sentence = `Port ${providerPort} is taken, perhaps by another run of the benchmark.`;
    throw new Error(sentence, { cause: error });
  }
}

function inFolder({ env = {} }: Program, folder: string): Environment {
  const entries = Object.entries(env);
  return Object.fromEntries(
    entries.map(([name, text]) => [name, text.replace("<folder>", folder)]),
  );
}

function profiling(name: ProgramName, folder: string | undefined): readonly string[] {
  if (folder === undefined) return [];
  const fileName = `${name.replaceAll(/\W+/gu, "-")}.cpuprofile`;
  return ["--cpu-prof", `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${fileName}`];
}

function portOf(name: ProgramName): number {
  return firstPort + names.indexOf(name);
}

function originOf(port: number): string {
  return `http://localhost:${port}`;
}
