import type { HeaderList } from "./headers.ts";

/** One way to authenticate, as a 401 offers it (RFC 9110, section 11.6.1). */
export interface Challenge {
  /**
   * `Cookie`, a name of ours, stands for a session. A client of an API that reads `Bearer` would
   * start OAuth, which helps no browser.
   */
  readonly scheme: "Cookie" | "Bearer" | "DPoP";
  /** Parameters by name; those without a value are left out. */
  readonly parameters: ChallengeParameters;
}

export type ChallengeParameters = Readonly<Record<string, string | number | undefined>>;

/**
 * Returns the `WWW-Authenticate` of a response, one line for all challenges.
 *
 * @param challenges - the preferred one first: some clients read no other
 */
export function challengeHeaders(...challenges: readonly Challenge[]): HeaderList {
  return [["WWW-Authenticate", challenges.map(challengeText).join(", ")]];
}

function challengeText({ scheme, parameters }: Challenge): string {
  const fields = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}="${quotable(String(value))}"`);
  return [scheme, fields.join(", ")].join(" ").trimEnd();
}

/** Leaves out what RFC 6750, section 3, forbids in a value: quotes, backslashes, controls. */
function quotable(value: string): string {
  return value.replaceAll(/[^\x20-\x21\x23-\x5B\x5D-\x7E]/g, "");
}
