import type { Answer } from "../measure/load.ts";

/** Names that Node writes by itself. */
const ofTheConnection = new Set(["date", "connection", "keep-alive"]);

/** An answer in the form that the floors give it again: header names as servers write them, each value apart. */
export function templateOf({ status, headers, body }: Answer): object {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    ofTheConnection.has(name)
      ? []
      : [value ?? []].flat().flatMap((each) => [capitalised(name), each]),
  );
  return { status, headers: list, body };
}

function capitalised(name: string): string {
  return name.replaceAll(/(^|-)[a-z]/gu, (letter) => letter.toUpperCase());
}
