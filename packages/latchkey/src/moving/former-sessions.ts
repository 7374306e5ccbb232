import type { Config } from "../config/config.ts";
import type { OptionForm } from "../config/option-forms.ts";
import { openText } from "../crypto/jwe.ts";
import { deriveKeyRing, type KeyRing } from "../crypto/key-ring.ts";
import { clearCookie, type Cookies } from "../http/cookies.ts";
import type { Part } from "../host/part.ts";
import type { FormerSession, FormerSessionIn } from "../session/former-session.ts";
import type { SessionContent } from "../session/seal.ts";
import { type CarriedCookie, carriedCookie, type FormerName } from "./former-cookies.ts";
import type { SignInOf } from "./former-sign-in.ts";
import { type Into, sessionOf } from "./session-of.ts";

/** How the former library was set. */
export interface MovingOptions {
  /** Its secret, or several: nothing else opens its cookies. */
  readonly secret: string | readonly string[] | undefined;
  /**
   * From this date on its cookies are not looked at any more: `2027-03-01`. The longest session of
   * the former library, counted from the day of the move, is long enough.
   */
  readonly until: string;
  /**
   * The cookie there, as far as the app had set it. Browsers remove a cookie only with the domain
   * and the path that it was set with; the path is `/` by default.
   */
  readonly cookie?:
    | {
        readonly name?: string | undefined;
        readonly domain?: string | undefined;
        readonly path?: string | undefined;
      }
    | undefined;
}

/** The cookies of a library, and how it reads them. */
export interface FormerLibrary {
  /** The function of `latchkey/moving` for it. */
  readonly call: string;
  /** Returns its cookies, by the name that the app had set. */
  readonly cookiesOf: (name: string | undefined) => readonly FormerName[];
  readonly signInOf: SignInOf;
}

/** Reads the cookies of a library: they are sealed as ours are, and hold other fields. */
export function formerSessions(
  options: MovingOptions,
  library: FormerLibrary,
): Part<"formerSessions"> {
  return {
    name: "formerSessions",
    written: { place: "formerSessions", call: library.call, options, forms },
    open({ config, connections, now, warn }) {
      const { secret, until, cookie = {} } = options;
      const secrets = [secret ?? []].flat().filter((each) => each !== "");
      const end = Date.parse(until) / 1000;
      const keys = keysOf(secrets);
      const { storeIDToken } = config.session;
      const into = { connection: connections.default, storeIDToken };
      const names = library.cookiesOf(cookie.name);
      const isOver = () => {
        const isPast = now() >= end;
        if (isPast) warn(`Former sessions are not read since ${until}: remove formerSessions.`);
        return isPast;
      };
      const contentOf = (value: string) =>
        contentOfValue(value, { keys: keys(), library, into, now: now() });
      const formerSessionIn: FormerSessionIn = (cookies) => {
        const carried = carriedBy(names, cookies);
        return carried.length === 0 || isOver()
          ? null
          : firstSession(carried, contentOf, (name) => removal(name, cookie, config));
      };
      isOver();
      return { formerSessionIn };
    },
  };
}

/** Derived at the first use, and kept: key derivation is too slow for a request. */
function keysOf(secrets: readonly string[]): () => KeyRing {
  let keys: KeyRing | undefined;
  return () => (keys ??= deriveKeyRing(secrets, "session"));
}

function carriedBy(names: readonly FormerName[], cookies: Cookies): readonly CarriedCookie[] {
  return names.flatMap((name) => carriedCookie(name, cookies) ?? []);
}

interface Reading {
  readonly keys: KeyRing;
  readonly library: FormerLibrary;
  readonly into: Into;
  readonly now: number;
}

function contentOfValue(
  value: string,
  { keys, library, into, now }: Reading,
): SessionContent | null {
  const opened = openText(keys, value);
  const signIn = typeof opened === "string" ? null : library.signInOf(opened);
  return signIn && sessionOf(signIn, into, now);
}

/** A cookie of another key or of another app is neither used nor removed. */
function firstSession(
  carried: readonly CarriedCookie[],
  contentOf: (value: string) => SessionContent | null,
  removed: (name: string) => string,
): FormerSession | null {
  for (const { values, names } of carried) {
    for (const value of values) {
      const content = contentOf(value);
      if (content !== null) return { content, removed: names.map(removed) };
    }
  }
  return null;
}

function removal(
  name: string,
  { domain, path = "/" }: NonNullable<MovingOptions["cookie"]>,
  { session }: Config,
): string {
  const { secure } = session.cookie;
  return clearCookie(name, { domain, path, secure, sameSite: "lax" });
}

const text = { expected: "must be text", isGood: (value: unknown) => typeof value === "string" };

const cookieForms: Readonly<Record<keyof NonNullable<MovingOptions["cookie"]>, OptionForm>> = {
  name: text,
  domain: text,
  path: text,
};

const forms: Readonly<Record<keyof MovingOptions, OptionForm>> = {
  secret: {
    expected: "must be text, or a list of texts",
    isRequired: true,
    isSecret: true,
    isGood: (value) => [value].flat().some((each) => typeof each === "string" && each !== ""),
    remedy: "Pass the secret that has sealed its cookies, or remove formerSessions.",
  },
  until: {
    expected: "must be a date",
    isRequired: true,
    isGood: (value) => Date.parse(String(value)) > 0,
    remedy: 'Pass a date such as until: "2027-03-01".',
  },
  cookie: { expected: "must be an object with name, domain or path", members: () => cookieForms },
};
