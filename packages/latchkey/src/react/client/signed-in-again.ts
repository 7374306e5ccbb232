/** Marks the address of a tab opened only to sign in again. */
export const signedInAgainFragment = "#lk-signed-in";

export function isSignedInAgain(): boolean {
  return location.hash === signedInAgainFragment;
}
