import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { freePort } from "./free-port.ts";
import { folderOf, stop, unpacked } from "./programs.ts";

/** Returns the folder of `prometheus` and `promtool` on this machine, or `null` without them. */
export function findPrometheus(): string | null {
  return folderOf(["prometheus", "promtool"], [unpacked("prometheus")]);
}

/** Runs `promtool`. */
export function promtool(folder: string, words: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(join(folder, "promtool"), words, {
    input,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

export interface RunningPrometheus {
  /** @returns the current series of an expression, by their labels */
  query(expression: string): Promise<readonly Series[]>;
  /** Returns the names of its loaded alerting rules. */
  rules(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  /** Moment and value. */
  readonly value: readonly [number, string];
}

/**
 * Starts a Prometheus on the loopback. It reads one target every second.
 *
 * @param target host and port
 * @param ruleFile its path
 */
export async function startPrometheus(
  folder: string,
  { target, ruleFile }: { readonly target: string; readonly ruleFile: string },
): Promise<RunningPrometheus> {
  const data = mkdtempSync(join(tmpdir(), "latchkey-prometheus-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [ruleFile],
    scrape_configs: [{ job_name: "latchkey", static_configs: [{ targets: [target] }] }],
  };
  // JSON is YAML.
  writeFileSync(join(data, "prometheus.yml"), JSON.stringify(config));
  const server = spawn(
    join(folder, "prometheus"),
    [
      `--config.file=${data}/prometheus.yml`,
      `--storage.tsdb.path=${data}/tsdb`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: "ignore" },
  );
  await untilReady(server, url);

  async function ask<T>(path: string): Promise<T> {
    const response = await fetch(`${url}/api/v1/${path}`);
    const answer = (await response.json()) as { status: string; data: T; error?: string };
    if (answer.status !== "success") throw new Error(answer.error);
    return answer.data;
  }

  return {
    async query(expression) {
      const words = new URLSearchParams({ query: expression });
      return (await ask<{ result: Series[] }>(`query?${words.toString()}`)).result;
    },
    async rules() {
      const { groups } = await ask<{ groups: { rules: { name: string }[] }[] }>("rules");
      return groups.flatMap(({ rules }) => rules.map(({ name }) => name));
    },
    async close() {
      await stop(server, "SIGKILL");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function untilReady(server: ChildProcess, url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (server.exitCode !== null) throw new Error("Prometheus has ended");
    const answer = await fetch(`${url}/-/ready`).catch(() => null);
    if (answer?.ok === true) return;
    await sleep(100);
  }
  throw new Error("Prometheus does not answer");
}
