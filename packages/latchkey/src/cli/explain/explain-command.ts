import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { versions } from "node:process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { parseArgs } from "node:util";

import { hardened } from "../../config/preset.ts";
import { variableOf } from "../../config/setting-definitions.ts";
import { formerReasons } from "../../errors/former-reasons.ts";
import { isTokenReason, type Reason, reasons, textOf } from "../../errors/reasons.ts";
import { kindsOf, type TokenKind } from "../../errors/token-reasons.ts";
import { ConfigError } from "../../errors/config-error.ts";
import { type Command, reasonOf, type Terminal, UsageError } from "../command.ts";
import { readProject } from "../doctor/settings/project.ts";
import { describeConnections } from "./describe-connections.ts";
import causes from "./causes.json" with { type: "json" };

const usage = `Usage: latchkey explain <reference> [file]
       latchkey explain <reason>
       latchkey explain hardened
       latchkey explain connections
  Finds the log line of a reference such as 7F3K-92QD, in a file or on standard input, and says
  what was refused, with causes and remedies. The name of a reason, such as state_mismatch, does
  without a log. hardened is the preset: what it changes, and for which requirement.
  connections lists those of the settings in this folder, with the addresses to register.`;

const pages = "https://latchkey-auth.github.io/latchkey/errors/";

/** `latchkey explain`: from the reference on a user's page, or from a reason, to its causes. */
export const explainCommand: Command = async (args, terminal) => {
  const { cwd, input, print } = terminal;
  const options = { help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    print(usage);
    return 0;
  }
  const [text, file, ...more] = positionals;
  if (text === undefined || more.length > 0) throw new UsageError(usage);
  if (text === "hardened" && file === undefined) {
    print(describePreset());
    return 0;
  }
  if (text === "connections" && file === undefined) return explainConnections(terminal);
  const named = file === undefined ? reasonNamed(text) : null;
  if (named !== null) {
    print(describe(named));
    return 0;
  }
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

function explainConnections({ cwd, environment, print }: Terminal): number {
  const { config, faults } = readProject(cwd, environment, versions.node, true);
  if (config === null) {
    print(new ConfigError(faults).message);
    return 1;
  }
  print(describeConnections(config));
  return 0;
}

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
  const named = reasonNamed(valueIn(line, "reason") ?? /\brefusal (\w+)/.exec(line)?.[1] ?? "");
  if (named === null) {
    return `${line}\n\nThis version of Latchkey knows no reason in the line. All reasons: ${pages}`;
  }
  return `${line}\n\n${describe({ kind: valueIn(line, "kind"), ...named })}`;
}

/** A value in a line of JSON, or in one for people: `refusal state_mismatch (route callback)`. */
function valueIn(line: string, name: string): string | undefined {
  const [, inJSON] = new RegExp(`"${name}"\\s*:\\s*"(\\w+)"`).exec(line) ?? [];
  const [, inText] = new RegExp(`\\b${name} (\\w+)`).exec(line) ?? [];
  return inJSON ?? inText;
}

function describePreset(): string {
  const lines = hardened.map(
    ({ option, value, meaning, asvs, says }) =>
      `${variableOf(option)}${value === undefined ? ` (${meaning})` : `=${value}`}\n  ASVS ${asvs}: ${says}.`,
  );
  return `LATCHKEY_PRESET=hardened has these defaults. A value of your own comes first; if it is weaker, a\nwarning at the start names it.\n\n${lines.join("\n")}`;
}

interface Named {
  readonly reason: Reason;
  /** The kind of token, if the reason is about one and the kind is known. */
  readonly kind?: string | undefined;
}

/** The reason with a name of this version or of an earlier one. */
function reasonNamed(name: string): Named | null {
  const reason = (Object.keys(reasons) as Reason[]).find((each) => each === name);
  return reason === undefined ? (formerReasons.get(name) ?? null) : { reason };
}

function describe({ reason, kind: named }: Named): string {
  const kinds: readonly TokenKind[] = isTokenReason(reason) ? kindsOf(reason) : [];
  const text = textOf(
    reason,
    kinds.find((kind) => kind === named),
  );
  return `${text}\n\nCauses and remedies:\n\n${causes[reason]}\n\nMore: ${pages}${reason}`;
}
