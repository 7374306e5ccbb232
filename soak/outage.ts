/** A provider without answers for a while: signed-in users, and users who sign in. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sampleUsers } from "@latchkey/provider";
import { type Browser, createBrowser } from "../packages/latchkey/test/browser/browser.ts";
import { findRedis, startRedis } from "../packages/latchkey/test/servers/redis.ts";
import {
  type Instances,
  startInstances,
} from "../packages/latchkey/test/refresh/soak/instances.ts";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";
import { reportResult } from "./report.ts";

const browsers = 30;
/** Lifetimes at the provider: access tokens end several times within the outage. */
const secondsOfTokens = 300;

/** @param minutes - on the clocks of the instances, which the soak advances */
export async function soakOutage(minutes: number): Promise<void> {
  const program = findRedis();
  if (program === null) throw new Error("There is no Redis here. npm test unpacks one.");
  const redis = await startRedis(program);
  let provider: ProviderProcess | undefined;
  const instances = await startInstances(3, async (baseURL) => {
    provider = await startProviderProcess(baseURL);
    const { issuer, client } = provider;
    const app = { issuer, clientID: client.id, clientSecret: client.secret };
    return { ...app, store: redis.url };
  });
  try {
    if (provider === undefined) throw new Error("the provider has not started");
    await run(instances, provider, minutes);
  } finally {
    await instances.close();
    await provider?.close();
    await redis.close();
  }
}

interface ProviderProcess {
  readonly issuer: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Accepts connections and does not answer. */
  fallSilent(): void;
  /** Answers again. Requests of the outage are lost; earlier data are not. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

async function startProviderProcess(appURL: string): Promise<ProviderProcess> {
  const script = new URL("provider-process.ts", import.meta.url);
  const folder = await mkdtemp(path.join(tmpdir(), "latchkey-soak-provider-"));
  const port = await freePort();
  let child: ChildProcess;

  async function start(): Promise<Pick<ProviderProcess, "issuer" | "client">> {
    child = fork(script, [appURL, String(secondsOfTokens), folder, String(port)]);
    const [started] = await once(child, "message");
    return started;
  }
  async function kill(): Promise<void> {
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  return {
    ...(await start()),
    fallSilent: () => void child.kill("SIGSTOP"),
    async restart() {
      await kill();
      await start();
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** Durations in milliseconds. */
interface Times {
  take<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the quantile for a share from 0 to 1. */
  share(part: number): number;
}

function createTimes(): Times {
  const all: number[] = [];
  return {
    async take(work) {
      const begun = performance.now();
      const done = await work();
      all.push(performance.now() - begun);
      return done;
    },
    share(part) {
      const sorted = all.toSorted((one, other) => one - other);
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    },
  };
}

async function run(
  instances: Instances,
  provider: ProviderProcess,
  minutes: number,
): Promise<void> {
  const people = await signInAll(instances);
  provider.fallSilent();
  const [pageTimes, loginTimes] = [createTimes(), createTimes()];
  const [pages, logins] = [new Map<string, number>(), new Map<string, number>()];
  for (let minute = 0; minute < minutes; minute += 1) {
    // oxlint-disable-next-line no-await-in-loop -- time passes for all
    await instances.advance(60_000);
    // oxlint-disable-next-line no-await-in-loop -- see above
    for (const outcome of await askAll(instances, people, pageTimes)) add(pages, outcome);
    for (const origin of instances.origins) {
      const login = () => createBrowser(origin).request("/api/auth/login");
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status } = await loginTimes.take(login);
      add(logins, String(status));
    }
  }
  await provider.restart();
  await instances.advance(20_000);
  await askAll(instances, people);
  const after = await askAll(instances, people);
  reportResult(
    `a provider that says nothing for ${minutes} minutes`,
    {
      "nobody is signed out": [...pages.keys()].every((outcome) => outcome.startsWith("200 ")),
      "a login is answered within 50 ms, 95 of 100 times": loginTimes.share(0.95) <= 50,
      "everybody has a token when it is back": after.every((outcome) => outcome === "200 token"),
    },
    {
      pages: Object.fromEntries(pages),
      pageP50Ms: pageTimes.share(0.5),
      pageP99Ms: pageTimes.share(0.99),
      logins: Object.fromEntries(logins),
      loginP50Ms: loginTimes.share(0.5),
      loginP95Ms: loginTimes.share(0.95),
      loginMaxMs: loginTimes.share(1),
      after: Object.fromEntries(countNames(after)),
    },
  );
}

function signInAll({ baseURL, origins }: Instances): Promise<readonly Browser[]> {
  return Promise.all(
    Array.from({ length: browsers }, async (_, number) => {
      const browser = createBrowser(baseURL);
      await browser.signIn("/", sampleUsers[number % sampleUsers.length]?.sub);
      // Each instance calls the provider.
      await createBrowser(origins[number % origins.length] ?? "").request("/api/auth/login");
      return browser;
    }),
  );
}

/** Each user opens the page with the access token, at another instance than before. */
async function askAll(
  { origins }: Instances,
  people: readonly Browser[],
  times = createTimes(),
): Promise<readonly string[]> {
  turn += 1;
  return Promise.all(
    people.map(async (browser, number) => {
      const origin = origins[(turn + number) % origins.length] ?? "";
      const { status, text } = await times.take(() => browser.request(`${origin}/`));
      return `${status} ${text.startsWith("ERR_") ? text : "token"}`;
    }),
  );
}

let turn = 0;

function countNames(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) add(counts, name);
  return counts;
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
