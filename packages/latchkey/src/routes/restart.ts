/**
 * A sign-in that failed because its transaction was lost is started again once, by the page itself.
 *
 * That it is the second try is written into `state`: what else the browser was given may be lost again. It is
 * no secret and no proof; all that can be won by forging it is a button instead of an automatic restart.
 */
const mark = ".r";

export function stateOf(random: string, again: boolean): string {
  return again ? random + mark : random;
}

export function isRestart(state: string | undefined): boolean {
  return state?.endsWith(mark) === true;
}
