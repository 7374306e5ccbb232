import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

import { findProgram, stop, unpacked } from "./programs.ts";

/** Returns the HAProxy of this machine, or `null` without one. */
export function findHAProxy(): string | null {
  return findProgram("haproxy", ["/usr/sbin", unpacked("haproxy")]);
}

export interface RunningHAProxy {
  /** How many requests it could not bring to an instance, or got no response for. */
  failures(): Promise<number>;
  /** Returns the number of forwarded requests without a response yet. */
  underWay(): Promise<number>;
  /** Resolves when HAProxy has found the instance on this port ready, and sends it requests. */
  add(port: number): Promise<void>;
  /**
   * Resolves when HAProxy sends nothing more to the instance on this port. It never checks the port
   * again.
   */
  remove(port: number): Promise<void>;
  close(): Promise<void>;
}

export interface HAProxyOptions {
  readonly port: number;
  /** Possible ports of instances. HAProxy checks each added one every second. */
  readonly ports: readonly number[];
  /** So many refusals in a row, a second apart, until it sends an instance nothing more. */
  readonly refusals: number;
}

const readyPath = "/_auth/health/ready";

/**
 * Starts an HAProxy on the loopback as a load balancer. It never repeats a request: each refusal
 * and interruption by an instance reaches the client.
 */
export async function startHAProxy(
  program: string,
  options: HAProxyOptions,
): Promise<RunningHAProxy> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-haproxy-"));
  const socket = join(folder, "stats");
  writeFileSync(join(folder, "haproxy.cfg"), configOf(socket, options));
  const server = spawn(program, ["-db", "-f", join(folder, "haproxy.cfg")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  server.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));

  const { command, rows } = runtimeAt(socket);

  async function until(at: number, state: "UP" | "DOWN" | "MAINT"): Promise<void> {
    let heard = "";
    for (let tries = 0; tries < 600; tries += 1) {
      if (server.exitCode !== null) throw new Error(`HAProxy has ended: ${complaint}`);
      const found = await rows().catch(() => []);
      const row = found.find(({ svname }) => svname === `at${at}`);
      const isChecked = state !== "UP" || row?.["check_status"]?.endsWith("L7OK") === true;
      if (isChecked && row?.["status"]?.split(" ")[0] === state) return;
      heard = `${row?.["check_code"]} ${row?.["last_chk"]}`.trim();
      await sleep(50);
    }
    throw new Error(
      `For the balancer the instance at ${at} is not ${state}: it has asked for ${readyPath}, and heard "${heard}". A version without this route cannot stand behind it.`,
    );
  }

  async function ofAllInstances(): Promise<Readonly<Record<string, string>>> {
    const found = await rows();
    const isAll = ({ pxname, svname }: (typeof found)[number]) =>
      pxname === "instances" && svname === "BACKEND";
    return found.find(isAll) ?? {};
  }

  return {
    async add(at) {
      // The first command may come before it listens.
      await until(at, "MAINT");
      await command(`enable server instances/at${at}`);
      await until(at, "UP");
    },
    async remove(at) {
      await until(at, "DOWN");
      await command(`disable server instances/at${at}`);
    },
    async failures() {
      const all = await ofAllInstances();
      return Number(all["econ"]) + Number(all["eresp"]);
    },
    underWay: async () => Number((await ofAllInstances())["scur"]),
    async close() {
      await stop(server, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Queries and changes a running HAProxy. */
function runtimeAt(socket: string) {
  async function command(words: string): Promise<string> {
    const asking = connect(socket);
    asking.end(`${words}\n`);
    return (await text(asking)).trim();
  }

  /** @returns the rows of the statistics, by the names of their columns */
  async function rows(): Promise<readonly Readonly<Record<string, string>>[]> {
    const [head = "", ...body] = (await command("show stat")).split("\n");
    const names = head.replace(/^# /, "").split(",");
    return body.map((line) => {
      const values = line.split(",");
      return Object.fromEntries(names.map((name, place) => [name, values[place] ?? ""]));
    });
  }

  return { command, rows };
}

function configOf(socket: string, { port, ports, refusals }: HAProxyOptions): string {
  const lines = [
    "global",
    `  stats socket ${socket} level admin`,
    "defaults",
    "  mode http",
    "  retries 0",
    "  timeout connect 2s",
    "  timeout client 60s",
    "  timeout server 60s",
    "  default-server check inter 1s rise 1",
    `  default-server fall ${refusals}`,
    "frontend people",
    `  bind 127.0.0.1:${port}`,
    "  default_backend instances",
    "backend instances",
    "  balance roundrobin",
    `  option httpchk GET ${readyPath}`,
    "  http-check expect status 200",
    ...ports.map((each) => `  server at${each} 127.0.0.1:${each} disabled`),
  ];
  return `${lines.join("\n")}\n`;
}
