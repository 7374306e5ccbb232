import { readFileSync } from "node:fs";

const pollMs = 250;
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const firstAncestors = ancestors();

/**
 * Calls back once: when this process gets a signal to end, or the process that started it is gone.
 *
 * npm passes signals on to the shell that it starts, and that shell keeps them. So long-running
 * scripts in package.json begin with `exec` (and have `||` for a shell without it), and a process
 * that npm started checks whether its ancestors are still the same.
 *
 * @param {() => void} callback
 * @returns {() => void} stops listening
 */
export function onShutdown(callback) {
  const shutDown = () => {
    stop();
    for (const signal of signals) process.on(signal, ignore);
    callback();
  };
  const startedByNpm = process.env["npm_lifecycle_event"] && !process.connected;
  const poll = () => ancestors() !== firstAncestors && shutDown();
  const timer = startedByNpm ? setInterval(poll, pollMs).unref() : undefined;
  const stop = () => {
    clearInterval(timer);
    process.off("disconnect", shutDown);
    for (const signal of signals) process.off(signal, shutDown);
  };
  for (const signal of signals) process.on(signal, shutDown);
  process.on("disconnect", shutDown);
  process.channel?.unref(); // Listening is no reason to stay.
  return stop;
}

/** A further signal does not cut a shutdown short that is under way. */
function ignore() {}

/** The parent, and where that is only the shell that npm put between us, its parent as well. */
function ancestors() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, "utf8");
    const [, name = "", grandparent] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
    return /^\w*sh$/.test(name) ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`; // No /proc: not Linux, where the shell steps aside.
  }
}
