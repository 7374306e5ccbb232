import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { atEnd } from "../at-end.ts";
import type { Facts, RelayAppSettings } from "./relay-app.ts";

/** An app in a process of its own. */
export interface RelayApp {
  /** Where it listens: http on this machine. */
  readonly origin: string;
  /** Moves its clock, and returns what it has done so far. */
  readonly facts: (advanceMs?: number) => Promise<Facts>;
}

const script = fileURLToPath(new URL("relay-app.ts", import.meta.url));
const execArgv = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

/** Starts an app, which ends with the test. */
export async function startRelayApp(settings: RelayAppSettings): Promise<RelayApp> {
  const child = fork(script, [JSON.stringify(settings)], { execArgv });
  atEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const { origin } = (await messageOf(child)) as { readonly origin: string };
  return {
    origin,
    async facts(advanceMs = 0) {
      const answer = messageOf(child);
      child.send({ advanceMs });
      return ((await answer) as { readonly facts: Facts }).facts;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(() => {
    throw new Error("the app has ended");
  });
  const [message]: unknown[] = await Promise.race([once(child, "message"), ended]);
  return message;
}
