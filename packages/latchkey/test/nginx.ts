import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { folderOf } from "./executable.ts";

/** Where `npm test` unpacks an nginx on a machine that has none. */
export const unpackedNginx = join(import.meta.dirname, "../../../.data/nginx");

/** nginx on this machine; `null` where there is none. */
export function findNginx(): string | null {
  const folder = folderOf(["nginx"], ["/usr/sbin", unpackedNginx]);
  return folder === null ? null : join(folder, "nginx");
}

export interface RunningNginx {
  close(): Promise<void>;
}

export interface NginxOptions {
  readonly port: number;
  readonly target: number;
  /** More of its settings, for all that it passes on. */
  readonly settings?: readonly string[];
}

/** Starts an nginx on the loopback that passes everything on, with every other setting as it comes. */
export async function startNginx(
  program: string,
  { port, target, settings = [] }: NginxOptions,
): Promise<RunningNginx> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-nginx-"));
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const lines = [
    // Its workers would not be root, and could not write here.
    ...(process.getuid?.() === 0 ? ["user root;"] : []),
    "daemon off;",
    `pid ${folder}/pid;`,
    "events {}",
    "http {",
    "  access_log off;",
    ...settings,
    ...temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    "  server {",
    `    listen 127.0.0.1:${port};`,
    "    location / {",
    `      proxy_pass http://127.0.0.1:${target};`,
    "      proxy_set_header Host $http_host;",
    "    }",
    "  }",
    "}",
  ];
  writeFileSync(join(folder, "nginx.conf"), `${lines.join("\n")}\n`);
  const words = ["-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
  const server = spawn(program, words, { stdio: "ignore" });
  await untilListening(server, port);
  return {
    async close() {
      server.kill("SIGTERM");
      if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilListening(server: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (server.exitCode !== null) throw new Error("nginx has ended");
    if (await listens(port)) return;
    await sleep(50);
  }
  throw new Error("nginx does not listen");
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
