import { randomBytes } from "node:crypto";

import { envLine } from "../env/env-line.ts";

/** Returns the lines in place of one; `null` if it stays. */
export type RenameLine = (name: string, value: string) => readonly string[] | null;

/** Renames the variables of nextjs-auth0 in a file of variables. All other lines stay. */
export function renameVariables(text: string, rename: RenameLine): string {
  const line = /^([ \t]*(?:export[ \t]+)?)(\w+)[ \t]*=([^\r\n]*)$/gm;
  return text.replace(line, (whole, start: string, name: string, written: string) => {
    const lines = rename(name, valueOf(written));
    const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    return lines === null ? whole : lines.map((each) => start + each).join(lineEnd);
  });
}

function valueOf(written: string): string {
  const text = written.trim();
  return /^(["'`])(.*)\1(?:\s*#.*)?$/.exec(text)?.[2] ?? text.replace(/\s+#.*$/, "");
}

/** What version 3 calls otherwise than with our prefix. */
const groupsOfVersion3: readonly (readonly [RegExp, string])[] = [
  [/^AUTH0_COOKIE_/, "LATCHKEY_SESSION_COOKIE_"],
  [/^AUTH0_(?=(?:CALLBACK|POST_LOGOUT_REDIRECT)$)/, "LATCHKEY_ROUTES_"],
  [/^AUTH0_(?!AUDIENCE$)/, "LATCHKEY_"],
];

/** Our name for a variable of version 3; `null` if it keeps its own. */
export function nameFromVersion3(name: string): string | null {
  const group = groupsOfVersion3.find(([before]) => before.test(name));
  return group === undefined ? null : name.replace(...group);
}

export const fromVersion3: RenameLine = (name, value) => {
  if (name === "AUTH0_AUDIENCE") return [envLine(name, value), audienceLine(value)];
  const renamed = nameFromVersion3(name);
  if (renamed === null) return null;
  if (renamed === "LATCHKEY_ISSUER_BASE_URL") return [envLine(renamed, withSlash(value))];
  if (renamed === "LATCHKEY_BASE_URL") return [envLine(renamed, withScheme(value))];
  return [envLine(renamed, value)];
};

const namesFromVersion4: Readonly<Record<string, string>> = {
  APP_BASE_URL: "LATCHKEY_BASE_URL",
  AUTH0_CLIENT_ID: "LATCHKEY_CLIENT_ID",
  AUTH0_CLIENT_SECRET: "LATCHKEY_CLIENT_SECRET",
  AUTH0_SCOPE: "LATCHKEY_SCOPE",
};

/** Our name for a variable of version 4; `null` if there is none with the same value. */
export function nameFromVersion4(name: string): string | null {
  return namesFromVersion4[name] ?? null;
}

/** The former secret stays: it opens the sessions of users who are signed in. */
export const fromVersion4: RenameLine = (name, value) => {
  const renamed = nameFromVersion4(name);
  if (renamed !== null) return [envLine(renamed, value)];
  if (name === "AUTH0_AUDIENCE") return [audienceLine(value)];
  if (name === "AUTH0_DOMAIN") {
    return [envLine("LATCHKEY_ISSUER_BASE_URL", value && withSlash(withScheme(value)))];
  }
  if (name !== "AUTH0_SECRET") return null;
  const fresh = value === "" ? "" : randomBytes(32).toString("base64");
  return [envLine(name, value), envLine("LATCHKEY_SECRET", fresh)];
};

function audienceLine(value: string): string {
  return envLine("LATCHKEY_AUTHORIZATION_PARAMS", value && `audience=${value}`);
}

/** The issuer of Auth0 has a slash at its end. */
function withSlash(value: string): string {
  return /^https:\/\/[^/]*$/.test(value) ? `${value}/` : value;
}

function withScheme(value: string): string {
  return value === "" || /^https?:\/\//.test(value) ? value : `https://${value}`;
}
