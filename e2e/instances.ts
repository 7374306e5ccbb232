/** Several instances of the built application, as processes, in front of one provider. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { APIRequestContext } from "@playwright/test";
import { samplePeople } from "@latchkey/provider";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";

type Settings = Readonly<Record<string, string>>;

export interface Instance {
  readonly port: number;
  readonly pid: number | undefined;
  readonly url: string;
  /** What it has written on standard output and standard error so far. */
  readonly lines: readonly string[];
  kill(signal: NodeJS.Signals): void;
  /** Reads its standard output no more, until it does again. */
  pauseReading(): void;
  resumeReading(): void;
  /** Resolves when it has ended, with its exit code; `null` where a signal has killed it. */
  readonly ended: Promise<number | null>;
}

export interface Instances {
  /** Issuer of the provider. */
  readonly issuer: string;
  readonly folder: string;
  /**
   * Starts one more; resolves when it is ready.
   *
   * @param checkout - the repository that it was built in; by default this one
   */
  start(settings?: Settings, checkout?: string): Promise<Instance>;
  /** Stops the provider's process for a while: it is there, and says nothing. */
  pauseProvider(): void;
  resumeProvider(): void;
  close(): Promise<void>;
}

const root = path.join(import.meta.dirname, "..");
export const instanceClient = { id: "instances", secret: "a-client-secret-of-many-characters" };

/** The session secret of instances, unless their settings bring another. */
export const instanceSecret = "a-secret-of-more-than-thirty-two-characters";

/** @param baseURL - where people reach the application: the address of the balancer */
export async function startInstances(baseURL: string, common: Settings = {}): Promise<Instances> {
  const folder = await mkdtemp(path.join(tmpdir(), "latchkey-instances-"));
  const providerPort = await freePort();
  const issuer = `http://localhost:${providerPort}`;
  const children: ChildProcess[] = [];

  const run = (file: string, env: Settings, checkout = root) => {
    const child = fork(path.join(checkout, file), {
      cwd: checkout,
      env: { ...inherited(), ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    children.push(child);
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null) createInterface(stream).on("line", (line) => lines.push(line));
    }
    const ended = once(child, "exit").then(([code]) => code as number | null);
    return { child, lines, ended };
  };

  const provider = run("packages/provider/dist/main.js", {
    LATCHKEY_PROVIDER_PORT: String(providerPort),
    LATCHKEY_PROVIDER_CLIENT_ID: instanceClient.id,
    LATCHKEY_PROVIDER_CLIENT_SECRET: instanceClient.secret,
    LATCHKEY_PROVIDER_APP_URL: baseURL,
  });
  await once(provider.child, "message");

  return {
    issuer,
    folder,
    async start(settings = {}, checkout = root) {
      const port = Number(settings["PORT"] ?? (await freePort()));
      const env = {
        HOST: "localhost",
        PORT: String(port),
        LATCHKEY_BASE_URL: baseURL,
        LATCHKEY_ISSUER_BASE_URL: issuer,
        LATCHKEY_CLIENT_ID: instanceClient.id,
        LATCHKEY_CLIENT_SECRET: instanceClient.secret,
        LATCHKEY_SECRET: instanceSecret,
        LATCHKEY_STORE: `sqlite:${folder}/store.db`,
        ...common,
        ...settings,
      };
      const { child, lines, ended } = run("apps/web/dist/server/main.js", env, checkout);
      await Promise.race([once(child, "message"), ended]);
      if (child.exitCode !== null) {
        throw new Error(`It ended with ${child.exitCode}:\n${lines.join("\n")}`);
      }
      return {
        port,
        pid: child.pid,
        url: `http://localhost:${port}`,
        lines,
        ended,
        kill: (signal) => void child.kill(signal),
        pauseReading: () => void child.stdout?.pause(),
        resumeReading: () => void child.stdout?.resume(),
      };
    },
    pauseProvider: () => void provider.child.kill("SIGSTOP"),
    resumeProvider: () => void provider.child.kill("SIGCONT"),
    async close() {
      for (const child of children) child.kill("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Sends somebody through a sign-in as far as the callback, which is not asked yet.
 *
 * @param browser - keeps the cookies
 * @returns the address of the callback
 */
export async function beginSignIn(browser: APIRequestContext, url: string): Promise<string> {
  const question = await browser.get(`${url}/api/auth/login?returnTo=/account`);
  const [person] = samplePeople;
  const stay = { maxRedirects: 0 };
  let answer = await browser.post(question.url(), { form: { person: person?.sub ?? "" }, ...stay });
  for (;;) {
    const next = new URL(answer.headers()["location"] ?? "", answer.url()).href;
    if (next.startsWith(url)) return next;
    answer = await browser.get(next, stay);
  }
}

/** A `Cookie` header of somebody who has signed in. */
export async function signInAt(browser: APIRequestContext, url: string): Promise<string> {
  const callback = await beginSignIn(browser, url);
  const answer = await browser.get(callback, { maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`The callback was answered ${answer.status()}`);
  const { cookies } = await browser.storageState();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

function inherited(): Settings {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("LATCHKEY_"));
  return Object.fromEntries(entries) as Settings;
}
