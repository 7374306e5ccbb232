import type { Config } from "../../../config/config.ts";
import type { ConfigFault } from "../../../errors/config-error.ts";
import { failure, type Judgement, orOK } from "../finding.ts";
import type { Project } from "./project.ts";

/** Which check reports a fault of the settings: the first match counts. */
const homes: readonly (readonly [id: string, options: RegExp])[] = [
  ["D03", /^(?:secret|clientSecret|clientAssertionSigningKey)/],
  ["D06", /^(?:issuerBaseURL|tenants)/],
  ["D07", /^(?:baseURL|production)/],
  ["D08", /^(?:session|transactionCookie)/],
  ["D09", /^(?:publicPaths|routes|pagesPrefix)/],
  ["D10", /^(?:scope|authorizationParams)/],
  ["D11", /^response/],
];

function isMissing({ message, seen }: ConfigFault): boolean {
  return seen === undefined && /required|missing/.test(message);
}

function homeOf(fault: ConfigFault): string {
  if (isMissing(fault)) return "D01";
  const option = fault.option.replace(/^connections\.[^.]+\./, "");
  return homes.find(([, options]) => options.test(option))?.[0] ?? "D01";
}

/** The faults that one check reports. */
export function faultsAt(id: string, { faults }: Project): readonly Judgement[] {
  return faults
    .filter((fault) => homeOf(fault) === id)
    .map(({ variable, option, message, seen, remedy }) => {
      const shown = seen === undefined ? "" : ` (seen: ${seen})`;
      return failure(`${variable || option} ${message}${shown}.`, remedy);
    });
}

/** Judges a configuration, unless the check has faults to report or nothing could be read. */
export function judgeConfig(
  id: string,
  judge: (config: Config, project: Project) => readonly Judgement[],
): (project: Project) => readonly Judgement[] {
  return (project) => {
    const faults = faultsAt(id, project);
    const { config } = project;
    return orOK(faults.length > 0 || config === null ? faults : judge(config, project));
  };
}

/** Whether settings are missing, and no other fault is there: they may be in code. */
export function onlyMisses({ faults }: Project): boolean {
  return faults.length > 0 && faults.every(isMissing);
}
