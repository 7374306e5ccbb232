import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ownProgram } from "../own-program.ts";

const startAtMostMs = 60_000;

/** It knows our packages only; npm gets all others from `upstream`. */
function configuration(folder: string, upstream: string): string {
  return `
storage: ${path.join(folder, "storage")}
uplinks: { upstream: { url: "${upstream}" } }
packages:
  "@latchkey/*": { access: $all, publish: $all }
  latchkey: { access: $all, publish: $all }
  "**": { access: $all, proxy: upstream }
log: { type: stdout, format: pretty, level: error }
`;
}

/**
 * Starts an npm registry on this machine.
 *
 * @param folder - for its files
 * @returns the variables that lead npm to it
 * @throws Error if it does not start within a minute
 */
export async function startRegistry(
  folder: string,
  port: number,
): Promise<{ readonly env: NodeJS.ProcessEnv; readonly stop: () => Promise<void> }> {
  const program = ownProgram(import.meta.dirname, "verdaccio/bin/verdaccio", "a registry");
  mkdirSync(folder);
  const url = `http://127.0.0.1:${port}/`;
  const { stdout } = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" });
  const file = path.join(folder, "config.yaml");
  writeFileSync(file, configuration(folder, stdout.trim()));
  writeFileSync(
    path.join(folder, "npmrc"),
    `registry=${url}\n//127.0.0.1:${port}/:_authToken=any\n`,
  );
  const child = spawn(process.execPath, [program, "--config", file, "--listen", url], {
    stdio: "inherit",
  });
  await waitFor(`${url}-/ping`, child);
  const env = { NPM_CONFIG_USERCONFIG: path.join(folder, "npmrc"), npm_config_registry: url };
  return { env, stop: () => end(child) };
}

async function waitFor(address: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startAtMostMs;
  while (Date.now() < deadline && child.exitCode === null) {
    if (
      await fetch(address).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error("The registry did not start.");
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill();
  });
}
