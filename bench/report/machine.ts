import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";

/** The machine in one sentence: figures mean nothing without it, ratios a little less. */
export function machineSentence(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]?.toFixed(1);
  return (
    `${cpus().length} cores (${cpu?.model.trim() ?? "unknown"}), ${memory} GiB, ${systemName()}, ` +
    `kernel ${release()}, Node ${process.versions.node}; load ${load} before the run`
  );
}

function systemName(): string {
  try {
    const text = readFileSync("/etc/os-release", "utf8");
    return /^PRETTY_NAME="(.*)"$/mu.exec(text)?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}
