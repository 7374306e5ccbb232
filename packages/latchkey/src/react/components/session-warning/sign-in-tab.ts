import { currentReturnTo, type Paths } from "../../client/paths.ts";
import { isSignedInAgain, signedInAgainFragment } from "../../client/signed-in-again.ts";

/** The address of this page with a fragment that marks a tab opened only to sign in again. */
export function signedInAgainReturnTo(paths: Paths): string {
  return (currentReturnTo(paths) ?? "/").split("#", 1)[0] + signedInAgainFragment;
}

/** Whether this tab was opened only to sign in again. Removes the fragment from the address. */
export function takeSignedInAgain(): boolean {
  if (!isSignedInAgain()) return false;
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}
