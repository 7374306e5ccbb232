import type { HTTPResponse } from "../measure/load.ts";

/** A response for the floor to repeat: header names as servers write them, each value by itself. */
export interface Template {
  readonly status: number;
  /** Name and value in turn. */
  readonly headers: readonly string[];
  readonly setCookies: readonly string[];
  readonly body: string;
}

/** Headers from Node itself. */
const connectionHeaders = new Set(["date", "connection", "keep-alive"]);

export function templateOf({ status, headers, body }: HTTPResponse): Template {
  const { "set-cookie": setCookies = [], ...others } = headers;
  const list = Object.entries(others).flatMap(([name, value = ""]) =>
    connectionHeaders.has(name) ? [] : [value].flat().flatMap((each) => [capitalize(name), each]),
  );
  return { status, headers: list, setCookies: [setCookies].flat(), body };
}

function capitalize(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/gu, (match) => match.toUpperCase());
}

/** The same response, with each of these cookies of a session in the place of its small cookie. */
export function sealingAll(template: Template, cookie: string): Template {
  const [line = ""] = template.setCookies;
  const attributes = line.slice(line.indexOf(";"));
  return { ...template, setCookies: cookie.split("; ").map((pair) => pair + attributes) };
}
