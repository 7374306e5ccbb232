import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findProgram, stop, unpacked, untilListening } from "./programs.ts";

/** nginx on this machine; `null` where there is none. */
export function findNginx(): string | null {
  return findProgram("nginx", ["/usr/sbin", unpacked("nginx")]);
}

export interface RunningNginx {
  close(): Promise<void>;
}

export interface NginxOptions {
  readonly port: number;
  readonly target: number;
  /** More of its settings, for all that it passes on. */
  readonly settings?: readonly string[];
  /** What it tells the app about a request. */
  readonly headers?: readonly string[];
}

/** Starts an nginx on the loopback that passes everything on, with every other setting as it comes. */
export async function startNginx(
  program: string,
  { port, target, settings = [], headers = ["proxy_set_header Host $http_host;"] }: NginxOptions,
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
    ...headers.map((line) => `      ${line}`),
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
      await stop(server, "SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
