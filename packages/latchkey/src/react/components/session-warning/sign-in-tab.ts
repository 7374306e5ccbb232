import { currentReturnTo, type Paths } from "../../client/paths.ts";
import { isSignedInAgain, signedInAgainFragment } from "../../client/signed-in-again.ts";

/** Returns the address of this page with the fragment of a tab opened only to sign in again. */
export function signedInAgainReturnTo(paths: Paths): string {
  return (currentReturnTo(paths) ?? "/").split("#", 1)[0] + signedInAgainFragment;
}

/** Returns whether this tab was opened only to sign in again, and removes the fragment. */
export function takeSignedInAgain(): boolean {
  if (!isSignedInAgain()) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}
