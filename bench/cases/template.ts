import type { Answer } from "../measure/load.ts";

/** An answer in the form that the floors give it again: header names as servers write them, each value apart. */
export interface Template {
  readonly status: number;
  /** Name and value in turn. */
  readonly headers: readonly string[];
  readonly setCookies: readonly string[];
  readonly body: string;
}

/** Names that Node writes by itself. */
const ofTheConnection = new Set(["date", "connection", "keep-alive"]);

export function templateOf({ status, headers, body }: Answer): Template {
  const { "set-cookie": setCookies = [], ...others } = headers;
  const list = Object.entries(others).flatMap(([name, value = ""]) =>
    ofTheConnection.has(name) ? [] : [value].flat().flatMap((each) => [capitalised(name), each]),
  );
  return { status, headers: list, setCookies: [setCookies].flat(), body };
}

function capitalised(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase());
}
