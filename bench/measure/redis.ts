import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { redisPort } from "../programs.ts";

/** Where `npm test` unpacks a Redis on a machine that has none. */
const unpacked = path.join(import.meta.dirname, "../../.data/redis/redis-server");

/**
 * Starts a Redis that keeps nothing on disk, and resolves when it listens.
 *
 * @returns ends it
 * @throws {Error} where this machine has none
 */
export async function startRedis(): Promise<() => void> {
  const program = existsSync(unpacked) ? unpacked : "redis-server";
  const address = ["--bind", "127.0.0.1", "--port", `${redisPort}`];
  const settings = ["--save", "", "--appendonly", "no", ...address];
  const server = spawn(program, settings, { stdio: ["ignore", "pipe", "ignore"] });
  const end = () => void server.kill("SIGKILL");
  process.once("exit", end);
  return new Promise((resolve, reject) => {
    const fail = () =>
      reject(new Error("Redis could not be started: `npm test` gets one for its own tests."));
    server.once("error", fail).once("exit", fail);
    server.stdout.on("data", (chunk) => {
      if (String(chunk).includes("Ready to accept")) resolve(end);
    });
  });
}
