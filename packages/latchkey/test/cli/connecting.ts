import { startProvider } from "@latchkey/provider";
import { onTestFinished } from "vitest";

import { latchkey } from "./project.ts";

export const clientSecret = "canary-secret-of-the-client";

/** A local provider with a client for an app at the usual address. */
export async function provider(more: Parameters<typeof startProvider>[0] = {}) {
  const running = await startProvider({
    ...more,
    appURL: "http://localhost:3000",
    clientID: "my-app",
    clientSecret,
  });
  onTestFinished(() => running.close());
  return running;
}

/** Runs `latchkey connect` in a folder, with the secret on standard input. */
export const connect = (folder: string, ...args: string[]) =>
  latchkey(folder, ["connect", ...args], `${clientSecret}\n`);
