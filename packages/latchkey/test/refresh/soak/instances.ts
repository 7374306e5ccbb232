import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { RefreshOutcome } from "../../../src/telemetry/log-event.ts";
import { freePort } from "../../servers/free-port.ts";
import type { InstanceSettings } from "./instance.ts";

/** Processes of one app. */
export interface Instances {
  readonly baseURL: string;
  /** The origin of each instance. */
  readonly origins: readonly string[];
  /** How the refreshes of all of them ended, counted; `lease-lost` among them. */
  readonly outcomes: ReadonlyMap<RefreshOutcome | "lease-lost", number>;
  /** Stops, continues or ends one of them. */
  signal(place: number, name: NodeJS.Signals): void;
  /** Moves the clocks of all running instances. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const script = fileURLToPath(new URL("instance.ts", import.meta.url));
const execArgv = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

/** @param stores - of each instance, if the addresses differ */
export async function startInstances(
  count: number,
  settingsAt: (baseURL: string) => Promise<Omit<InstanceSettings, "port" | "baseURL">>,
  stores: readonly string[] = [],
): Promise<Instances> {
  const port = await freePort();
  const baseURL = `http://localhost:${port}`;
  const settings = await settingsAt(baseURL);
  const outcomes = new Map<RefreshOutcome | "lease-lost", number>();
  const started = await Promise.all(
    Array.from({ length: count }, (_, place) =>
      start({
        ...settings,
        baseURL,
        port: place === 0 ? port : 0,
        store: stores[place] ?? settings.store,
      }),
    ),
  );
  for (const { child } of started) {
    child.on("message", (message: { event?: string; outcome?: RefreshOutcome }) => {
      if (message.event === undefined) return;
      const name = message.outcome ?? "lease-lost";
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    });
  }
  return {
    baseURL,
    outcomes,
    origins: started.map(({ origin }) => origin),
    signal: (place, name) => void started[place]?.child.kill(name),
    async advance(ms) {
      await Promise.all(
        started.map(async ({ child }) => {
          if (!child.connected) return;
          const moved = messageWith(child, "advancedTo");
          child.send(ms);
          await moved;
        }),
      );
    },
    async close() {
      await Promise.all(
        started.map(async ({ child }) => {
          child.kill("SIGKILL");
          if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        }),
      );
    },
  };
}

async function start(settings: InstanceSettings) {
  const child = fork(script, [JSON.stringify(settings)], { execArgv });
  const { port } = await messageWith(child, "port");
  return { child, origin: `http://localhost:${String(port)}` };
}

function messageWith(child: ChildProcess, name: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`an instance has ended with ${code}`));
    const onMessage = (message: Record<string, unknown>) => {
      if (!(name in message)) return;
      child.off("message", onMessage);
      child.off("exit", onExit);
      resolve(message);
    };
    child.on("message", onMessage);
    child.once("exit", onExit);
  });
}
