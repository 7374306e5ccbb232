import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { redisPort } from "../programs.ts";

/** The Redis that `npm test` unpacks if the machine has none. */
const unpacked = path.join(import.meta.dirname, "../../.data/redis/redis-server");

let starting: Promise<void> | undefined;

/**
 * Starts a Redis without files, once for the whole run, and resolves when it listens.
 *
 * @throws {Error} if this machine has no Redis
 */
export function startRedis(): Promise<void> {
  return (starting ??= spawnRedis());
}

function spawnRedis(): Promise<void> {
  const program = existsSync(unpacked) ? unpacked : "redis-server";
  const address = ["--bind", "127.0.0.1", "--port", `${redisPort}`];
  const settings = ["--save", "", "--appendonly", "no", ...address];
  const server = spawn(program, settings, { stdio: ["ignore", "pipe", "ignore"] });
  process.once("exit", () => void server.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    const fail = () =>
      reject(new Error("Redis could not be started: `npm test` gets one for its own tests."));
    server.once("error", fail).once("exit", fail);
    server.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Ready to accept")) resolve();
    });
  });
}
