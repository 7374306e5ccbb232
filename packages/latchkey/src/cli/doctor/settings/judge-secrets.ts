import { isLoopback } from "../../../config/rules/rule.ts";
import { failure, type Judgement, note, orOK, warning } from "../finding.ts";
import type { Project, VariableFile } from "./project.ts";
import { elsewhere, type SecretFile } from "./secret-file.ts";
import { faultsAt } from "./setting-faults.ts";

/** Texts of documentation and templates that are no secret. */
const samples =
  /^(?:<.*>|change[-_ ]?me.*|your[-_ ].*|secret|password|replace[-_ ].*|x+|todo.*|.*example.*|a long secret.*)$/i;

/** The local provider's own, which every reader of its source knows. */
const publicSecret = /^local-trial-secret/;

const secretVariables = ["LATCHKEY_SECRET", "LATCHKEY_CLIENT_SECRET"];

/** Every variable of Latchkey in a file, with its text. */
function ours({ variables }: VariableFile): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables)
    .filter(([name]) => name.replace("\uFEFF", "").startsWith("LATCHKEY_"))
    .map(([name, value = ""]) => [name, value]);
}

export function judgeSecrets(project: Project): readonly Judgement[] {
  const { LATCHKEY_SECRET: secret = "", LATCHKEY_CLIENT_SECRET: client = "" } = project.variables;
  const judgements = [...faultsAt("D03", project), ...project.secretFiles.flatMap(judgeFile)];
  for (const name of secretVariables) {
    const value = project.variables[name] ?? "";
    if (samples.test(value) || (publicSecret.test(value) && !isOfLocalProvider(name, project))) {
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

function isOfLocalProvider(name: string, { variables }: Project): boolean {
  const issuer = variables["LATCHKEY_ISSUER_BASE_URL"] ?? "";
  return name === "LATCHKEY_CLIENT_SECRET" && URL.canParse(issuer) && isLoopback(issuer);
}

function judgeFile({ variable, file, fault }: SecretFile): readonly Judgement[] {
  if (fault === null) return [];
  const said = `${variable} names ${file}, which ${fault}.`;
  if (fault === elsewhere) return [note(said, "The deployment has to bring the file.")];
  return [failure(said, "Correct the path, and let the account of the app read the file.")];
}
