/** The example configurations of proxies, started as they are but for their addresses. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { findCaddy } from "../../../../packages/latchkey/test/servers/caddy.ts";
import { findHAProxy } from "../../../../packages/latchkey/test/servers/haproxy.ts";
import { findNginx } from "../../../../packages/latchkey/test/servers/nginx.ts";
import { stop, untilListening } from "../../../../packages/latchkey/test/servers/programs.ts";

export type RealProxy = "nginx" | "haproxy" | "caddy";

/** The ports in place of those of the example. */
export interface ProxyPorts {
  /** The port that browsers use, 8080 in the example. */
  readonly own: number;
  readonly latchkey: number;
  readonly check: number;
  readonly application: number;
}

const programs = {
  nginx: { find: findNginx, words: (at: string) => nginxWords(at) },
  haproxy: { find: findHAProxy, words: () => ["-db", "-f", "haproxy.cfg"] },
  caddy: {
    find: findCaddy,
    words: () => ["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
  },
} as const;

export function findProxy(proxy: RealProxy): string | null {
  return programs[proxy].find();
}

export function exampleFolder(proxy: string): string {
  return fileURLToPath(new URL(`../../../../examples/proxies/${proxy}`, import.meta.url));
}

/** Puts the ports of a test into the text of an example. */
export function withPorts(text: string, { own, latchkey, check, application }: ProxyPorts): string {
  return text
    .replaceAll("127.0.0.1:3000", `localhost:${latchkey}`)
    .replaceAll("127.0.0.1:3001", `127.0.0.1:${check}`)
    .replaceAll("127.0.0.1:9000", `127.0.0.1:${application}`)
    .replaceAll("port_value: 3000", `port_value: ${latchkey}`)
    .replaceAll("port_value: 3001", `port_value: ${check}`)
    .replaceAll("port_value: 9000", `port_value: ${application}`)
    .replaceAll(/\b8080\b/g, String(own));
}

/**
 * Starts a real proxy with its example.
 *
 * @returns closes it
 */
export async function startProxy(
  proxy: RealProxy,
  ports: ProxyPorts,
  change: (text: string) => string = (text) => text,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), `latchkey-${proxy}-`));
  cpSync(exampleFolder(proxy), folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(file, withPorts(change(readFileSync(file, "utf8")), ports));
  }
  const server = spawn(findProxy(proxy) ?? "", programs[proxy].words(folder), {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let complaint = "";
  server.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  await untilListening(server, ports.own).catch((error: unknown) => {
    throw new Error(`${proxy} did not start: ${complaint}`, { cause: error });
  });
  return async () => {
    await stop(server, "SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
}

/** What a process of a test needs beside the example: no root, no daemon, its own folder. */
function nginxWords(folder: string): readonly string[] {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const settings = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ");
  const file = join(folder, "nginx.conf");
  const example = readFileSync(file, "utf8");
  writeFileSync(file, example.replace("http {", `http {\n  access_log off; ${settings}`));
  const user = process.getuid?.() === 0 ? "user root; " : "";
  const outside = `${user}daemon off; pid ${folder}/pid;`;
  return ["-c", file, "-e", join(folder, "error.log"), "-g", outside];
}
