/** Several processes of the built application with one provider. */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { APIRequestContext } from "@playwright/test";
import { sampleUsers } from "@latchkey/provider";
import { freePort } from "../packages/latchkey/test/servers/free-port.ts";

type Settings = Readonly<Record<string, string>>;

export interface Instance {
  readonly port: number;
  readonly pid: number | undefined;
  readonly url: string;
  /** The lines of its standard output and standard error so far. */
  readonly lines: readonly string[];
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or with `null` if a signal killed it. */
  readonly ended: Promise<number | null>;
}

export interface Instances {
  /** Issuer of the provider. */
  readonly issuer: string;
  readonly folder: string;
  /**
   * Starts one more instance. Resolves when it is ready.
   *
   * @param checkout - the repository of its build. Default: this one
   */
  start(settings?: Settings, checkout?: string): Promise<Instance>;
  /** Stops the process of the provider: it accepts connections and does not respond. */
  pauseProvider(): void;
  resumeProvider(): void;
  close(): Promise<void>;
}

const root = path.join(import.meta.dirname, "..");
export const instanceClient = { id: "instances", secret: "a-client-secret-of-many-characters" };

/** The default session secret of instances. */
export const instanceSecret = "a-secret-of-more-than-thirty-two-characters";

/** @param baseURL - address of the balancer */
export async function startInstances(baseURL: string, common: Settings = {}): Promise<Instances> {
  const folder = await mkdtemp(path.join(tmpdir(), "latchkey-instances-"));
  const providerPort = await freePort();
  const issuer = `http://localhost:${providerPort}`;
  const children: ChildProcess[] = [];

  const run = (file: string, env: Settings, checkout = root) => {
    const child = fork(path.join(checkout, file), {
      cwd: checkout,
      env: { ...inheritedSettings(), ...env },
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
 * Signs a person in as far as the callback.
 *
 * @param browser - keeps the cookies
 * @returns the address of the callback, not opened yet
 */
export async function beginSignIn(browser: APIRequestContext, url: string): Promise<string> {
  const login = await browser.get(`${url}/api/auth/login?returnTo=/account`);
  const [person] = sampleUsers;
  const stay = { maxRedirects: 0 };
  let answer = await browser.post(login.url(), { form: { person: person?.sub ?? "" }, ...stay });
  for (;;) {
    const next = new URL(answer.headers()["location"] ?? "", answer.url()).href;
    if (next.startsWith(url)) return next;
    answer = await browser.get(next, stay);
  }
}

/** Signs a person in. Returns the `Cookie` header. */
export async function signInAt(browser: APIRequestContext, url: string): Promise<string> {
  const callback = await beginSignIn(browser, url);
  const answer = await browser.get(callback, { maxRedirects: 0 });
  if (answer.status() !== 302) throw new Error(`The callback responded with ${answer.status()}.`);
  const { cookies } = await browser.storageState();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

function inheritedSettings(): Settings {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("LATCHKEY_"));
  return Object.fromEntries(entries) as Settings;
}
