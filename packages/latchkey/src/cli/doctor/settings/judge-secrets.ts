import { failure, type Judgement, orOK, warning } from "../finding.ts";
import type { Project, VariableFile } from "./project.ts";
import { faultsAt } from "./setting-faults.ts";

/** Texts of documentation and templates that are no secret. */
const samples =
  /^(?:<.*>|change[-_ ]?me.*|your[-_ ].*|secret|password|replace[-_ ].*|x+|todo.*|.*example.*|a long secret.*|local-trial-secret.*)$/i;

const secretVariables = ["LATCHKEY_SECRET", "LATCHKEY_CLIENT_SECRET"];

/** Every variable of Latchkey in a file, with its text. */
function ours({ variables }: VariableFile): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables)
    .filter(([name]) => name.replace("\uFEFF", "").startsWith("LATCHKEY_"))
    .map(([name, value = ""]) => [name, value]);
}

export function judgeSecrets(project: Project): readonly Judgement[] {
  const { LATCHKEY_SECRET: secret = "", LATCHKEY_CLIENT_SECRET: client = "" } = project.variables;
  const judgements = [...faultsAt("D03", project)];
  for (const name of secretVariables) {
    const value = project.variables[name] ?? "";
    if (samples.test(value)) {
      judgements.push(
        failure(
          `${name} is the text of a template.`,
          name === "LATCHKEY_SECRET"
            ? "Set it to the output of openssl rand -base64 32."
            : "Set it to the client secret that your provider gave this app.",
        ),
      );
    }
  }
  const [first = ""] = secret.split(/\s+/);
  const isShort = first !== "" && new TextEncoder().encode(first).length < 32;
  if (isShort && judgements.length === 0) {
    judgements.push(
      warning(
        "LATCHKEY_SECRET is shorter than 32 bytes and could be guessed.",
        "Set it to the output of openssl rand -base64 32.",
      ),
    );
  }
  if (secret !== "" && secret === client) {
    judgements.push(
      failure(
        "LATCHKEY_SECRET is the client secret, which the provider knows too.",
        "Set LATCHKEY_SECRET to the output of openssl rand -base64 32.",
      ),
    );
  }
  for (const file of project.files.filter(({ isTracked, isExposed }) => isTracked || isExposed)) {
    const secrets = ours(file).filter(([name, value]) => secretVariables.includes(name) && value);
    if (secrets.length === 0) continue;
    if (file.isExposed) {
      judgements.push(
        warning(
          `${file.name} has secrets, and git does not ignore it.`,
          `Add ${file.name} to .gitignore.`,
        ),
      );
      continue;
    }
    judgements.push(
      failure(
        `${file.name} is in git, with ${secrets.map(([name]) => name).join(" and ")}.`,
        `Replace the secrets, run git rm --cached ${file.name}, and add the file to .gitignore.`,
      ),
    );
  }
  return orOK(judgements);
}
