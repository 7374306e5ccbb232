import { readFileSync } from "node:fs";

const pollMs = 250;
/**
 * A terminal, npm and a parent may each pass on the same signal: signals within this time count as
 * one.
 */
const sameSignalMs = 250;
const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
const firstAncestors = ancestors();

/**
 * Calls back once: at a signal to end, or after the end of the parent process. A further signal
 * does not interrupt the callback, unless `onFurtherSignal` does.
 *
 * npm passes signals on to its shell, and the shell keeps them. So long-running scripts in
 * package.json begin with `exec` (and have `||` for a shell without it), and a process started by
 * npm checks its ancestors for changes.
 *
 * @param {() => void} callback
 * @param {() => void} [onFurtherSignal]
 * @returns {() => void} stops listening
 */
export function onShutdown(callback, onFurtherSignal) {
  const shutDown = () => {
    stop();
    const since = performance.now();
    const again = () => performance.now() - since > sameSignalMs && onFurtherSignal?.();
    for (const signal of signals) process.on(signal, again);
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

/** The parent, and its parent too if the first is only the shell of npm. */
function ancestors() {
  const parent = process.ppid;
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, "utf8");
    const [, name = "", grandparent] = /\((.*)\) \S (\d+)/.exec(stat) ?? [];
    return /^\w*sh$/.test(name) ? `${parent} ${grandparent}` : `${parent}`;
  } catch {
    return `${parent}`; // No /proc: not Linux, so the shell steps aside.
  }
}
