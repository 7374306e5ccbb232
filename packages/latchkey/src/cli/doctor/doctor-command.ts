import { versions } from "node:process";
import { parseArgs } from "node:util";

import { type Command, type Terminal, UsageError } from "../command.ts";
import type { Finding } from "./finding.ts";
import { findFaults } from "./find-faults.ts";
import { jsonReport, textReport } from "./report.ts";
import { runChecks } from "./run-checks.ts";
import { readProject } from "./settings/project.ts";
import { settingChecks } from "./settings/setting-checks.ts";
import { readStore, storeChecks } from "./store/check-store.ts";

const doctorUsage = `Usage:
  latchkey doctor [url] [--connection <id>] [--offline] [--probe] [--strict] [--json]
      Finds out why sign-in does not work: reads the settings of this folder, asks the provider,
      and with the address of the running app asks that too. It changes nothing.
      --connection: ask the provider of this connection alone, and show what to register there
      --offline: contact no server
      --probe: also what leaves a trace at the provider, such as a failed sign-in
      --strict: warnings fail, too

Exit codes: 0 nothing failed, 1 something failed, 2 it could not run.`;

const checkUsage = `Usage:
  latchkey check [--strict] [--json]
      Judges the settings of a deployment, with NODE_ENV=production unless it is set. It contacts
      no server, and prints what is wrong.

Exit codes: 0 nothing failed, 1 something failed, 2 it could not run.`;

/** `latchkey doctor`: every check, true cause first. */
export const doctorCommand: Command = async (args, terminal) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h" },
      connection: { type: "string" },
      offline: { type: "boolean", default: false },
      probe: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (values.help === true) return print(terminal, doctorUsage);
  const [address, ...more] = positionals;
  if (more.length > 0) throw new UsageError(doctorUsage);
  if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? "")) {
    // It may contain a password.
    throw new UsageError(`The app has no http or https address there.\n\n${doctorUsage}`);
  }
  const findings = await findFaults(terminal, { ...values, address });
  return finish(terminal, findings, values);
};

/** `latchkey check`: the settings alone, for pipelines. */
export const checkCommand: Command = async (args, terminal) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", short: "h" },
      strict: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  if (values.help === true) return print(terminal, checkUsage);
  const environment = { NODE_ENV: "production", ...terminal.environment };
  const project = readProject(terminal.cwd, environment, versions.node, true);
  const findings = [
    ...runChecks(settingChecks, project, new Set()),
    ...runChecks(storeChecks, readStore(project), new Set()),
  ];
  return finish(terminal, findings, values);
};

function print({ print: write }: Terminal, text: string): number {
  write(text);
  return 0;
}

function finish(
  { print: write }: Terminal,
  findings: readonly Finding[],
  { json, strict }: { readonly json: boolean; readonly strict: boolean },
): number {
  if (json) write(jsonReport(findings));
  else for (const { text, color } of textReport(findings)) write(text, color);
  const bad = strict ? ["failure", "warning"] : ["failure"];
  return findings.some(({ verdict }) => bad.includes(verdict)) ? 1 : 0;
}
