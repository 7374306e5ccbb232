import { person } from "./person.ts";

/** A session of about so many bytes of JSON: claims and three tokens, as a provider makes them. */
export function sessionOf(bytes: number): SampleSession {
  const { sub, name, email } = person;
  const small = {
    user: { sub, name, email },
    idToken: "",
    accessToken: token(43),
    refreshToken: token(43),
  };
  const left = bytes - JSON.stringify(small).length;
  // What an ID token repeats of the claims is a third longer than they are.
  const claims = Math.max(0, Math.floor(left * 0.35));
  const user = { ...small.user, groups: token(claims) };
  const idToken = token(bytes - JSON.stringify({ ...small, user }).length);
  return { ...small, user, idToken };
}

export interface SampleSession {
  readonly user: {
    readonly sub: string;
    readonly name: string;
    readonly email: string;
    readonly groups: string;
  };
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** A text without pattern, the same in every run. */
function token(length: number): string {
  let state = length + 1;
  return Array.from({ length: Math.max(0, length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[state >>> 26];
  }).join("");
}
