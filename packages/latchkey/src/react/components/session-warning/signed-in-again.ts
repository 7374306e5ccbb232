import { here, type Paths } from "../../client/paths.ts";

const mark = "#lk-signed-in";

/** This page, marked as one that was opened only to sign in again. */
export function againMark(paths: Paths): string {
  return (here(paths) ?? "/").split("#", 1)[0] + mark;
}

/** Whether this page was opened only to sign in again. The mark is taken off. */
export function takeAgainMark(): boolean {
  if (location.hash !== mark) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}
