import type { ConfigFault } from "../../../errors/config-error.ts";
import { failure, type Judgement } from "../finding.ts";
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

function homeOf({ option, message, seen }: ConfigFault): string {
  if (seen === undefined && /required|missing/.test(message)) return "D01";
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
