import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";

import { type Reason, reasons } from "../../errors/reasons.ts";
import { type Command, reasonOf, UsageError } from "../command.ts";
import causes from "./causes.json" with { type: "json" };

const usage = `Usage: latchkey explain <reference> [file]
  Finds the log line of a reference such as 7F3K-92QD, in a file or on standard input, and says
  what was refused, with causes and remedies.`;

const pages = "https://latchkey-auth.github.io/latchkey/errors/";

/** `latchkey explain`: from the reference on a user's page to the line of the log. */
export const explainCommand: Command = async (args, { cwd, input, print }) => {
  const options = { help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    print(usage);
    return 0;
  }
  const [text, file, ...more] = positionals;
  if (text === undefined || more.length > 0) throw new UsageError(usage);
  const reference = referenceOf(text);
  const log = file === undefined ? input : createReadStream(resolve(cwd, file));
  const line = await findLine(log, reference).catch((error: unknown) => {
    throw new UsageError(`${file ?? "The input"} cannot be read: ${reasonOf(error)}.`);
  });
  if (line !== null) {
    print(explain(line));
    return 0;
  }
  print(`No line has the reference ${reference}: look in the logs of all instances and days.`);
  return 1;
};

async function findLine(log: Readable, reference: string): Promise<string | null> {
  for await (const line of createInterface({ input: log })) {
    if (line.includes(reference)) return line;
  }
  return null;
}

/** Users type it in small letters, without the dash, or with the words around it. */
function referenceOf(text: string): string {
  const found = /([\dA-Z]{4})[-\s]?([\dA-Z]{4})\s*$/i.exec(text);
  if (found === null) {
    throw new UsageError(`"${text}" is no reference: it has eight characters, such as 7F3K-92QD.`);
  }
  return `${found[1]}-${found[2]}`.toUpperCase();
}

function explain(line: string): string {
  const reason = (Object.keys(reasons) as Reason[]).find((name) => reasonIn(line) === name);
  if (reason === undefined) {
    return `${line}\n\nThis version of Latchkey knows no reason in the line. All reasons: ${pages}`;
  }
  return `${line}\n\n${reasons[reason].text}\n\nCauses and remedies:\n\n${causes[reason]}\n\nMore: ${pages}${reason}`;
}

/** The reason in a line of JSON, or in one for people: `refusal state_mismatch (…)`. */
function reasonIn(line: string): string | undefined {
  return /"reason"\s*:\s*"(\w+)"/.exec(line)?.[1] ?? /\brefusal (\w+)/.exec(line)?.[1];
}
