import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findProgram, stop, unpacked, untilListening } from "./programs.ts";

/** Returns the nginx of this machine, or `null` without one. */
export function findNginx(): string | null {
  return findProgram("nginx", ["/usr/sbin", unpacked("nginx")]);
}

export interface RunningNginx {
  close(): Promise<void>;
}

export interface NginxOptions {
  readonly port: number;
  readonly target: number;
  /** More settings for all forwarded requests. */
  readonly settings?: readonly string[];
  /** Headers set on the request to the app. */
  readonly headers?: readonly string[];
  /** Upstreams and servers of its own, instead of the one for `target`. */
  readonly servers?: string;
}

/** Starts an nginx on the loopback as a proxy for all requests, otherwise with default settings. */
export async function startNginx(
  program: string,
  {
    port,
    target,
    settings = [],
    headers = ["proxy_set_header Host $http_host;"],
    servers = serverFor({ port, target, headers }),
  }: NginxOptions,
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
    servers,
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

function serverFor({ port, target, headers = [] }: NginxOptions): string {
  return `server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${target};
      ${headers.join("\n")}
    }
  }`;
}
