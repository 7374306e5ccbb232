import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Facts, RelayApp, RelayAppSettings } from "./open-relay-app.ts";

const script = fileURLToPath(new URL("relay-app.ts", import.meta.url));
const execArgv = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

/** Starts an app in a process of its own. */
export async function startRelayApp(settings: RelayAppSettings): Promise<RelayApp> {
  const child = fork(script, [JSON.stringify(settings)], { execArgv });
  const { origin } = (await messageOf(child)) as { readonly origin: string };
  return {
    origin,
    async facts(advanceMs = 0) {
      const answer = messageOf(child);
      child.send({ advanceMs });
      return ((await answer) as { readonly facts: Facts }).facts;
    },
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the app has ended"));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}
