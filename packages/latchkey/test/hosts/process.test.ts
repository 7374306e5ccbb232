import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

import { hosts } from "./world/hosts.ts";
import { sendRequest } from "./world/wire.ts";

const script = fileURLToPath(new URL("world/process-app.ts", import.meta.url));
const targets = String.raw`/ /private /api/fail /api/throw /fetched /late /require /api/token
  // /\ http://[/ http:// //[ /% * # evil.example:80 //:0/ /?% /api/auth/callback?state=%
  /api/auth/login /api/auth/nothing http://localhost:0x/`.split(/\s+/);
const methods = "GET HEAD POST TRACE CONNECT PROPFIND QUERY OPTIONS".split(" ");

describe.each(hosts)("a process that serves on $name", (host) => {
  test("lives on, whatever a client sends", async () => {
    const child = spawn(process.execPath, [...process.execArgv, script, host.name]);
    onTestFinished(() => void child.kill());
    const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const origin = `http://localhost:${line.trim()}`;
    for (const method of methods) {
      for (const target of targets) {
        const body = method === "POST" ? { body: "a[b]=1" } : {};
        await sendRequest(origin, { method, target, ...body });
      }
    }
    const { body, status } = await sendRequest(origin, { target: "/" });
    expect([child.exitCode, status, body]).toEqual([null, 200, "Hello stranger"]);
  });
});
