import { parseEnv } from "node:util";

import { isLoopback } from "../../../config/rules/rule.ts";
import { failure, type Judgement } from "../finding.ts";
import type { TextFile } from "./deployment-files.ts";
import type { Project } from "./project.ts";

const remedies: Readonly<Record<string, string>> = {
  LATCHKEY_ISSUER_BASE_URL:
    "Set LATCHKEY_METADATA_URL to the metadata at the address for containers, or give the provider one address that the container and the browser both reach.",
  LATCHKEY_STORE:
    "Name the service of the store in place of localhost, such as redis://redis:6379.",
};

/** Addresses of containers on this machine: there, `localhost` is the container itself. */
export function judgeContainers(project: Project, variable: string): readonly Judgement[] {
  return project.deployment.compose.flatMap((file) => {
    if (/network_mode:\s*["']?host/.test(file.text)) return [];
    // The issuer is then the address for browsers.
    const hasTwo = addressIn(file, "LATCHKEY_METADATA_URL", project) !== undefined;
    if (variable === "LATCHKEY_ISSUER_BASE_URL" && hasTwo) return [];
    const address = addressIn(file, variable, project);
    const url = address === undefined ? null : URL.parse(address);
    if (url === null || url.hostname === "" || !isLoopback(url.href)) return [];
    return [
      failure(
        `${file.name} gives a container ${variable} at ${url.host}, which is the container itself.`,
        remedies[variable] ?? "",
      ),
    ];
  });
}

/** What a container gets for a variable: of the file itself, or of a file that it names. */
function addressIn({ text }: TextFile, name: string, project: Project): string | undefined {
  const own = new RegExp(`^[^#\\n]*\\b${name}["']?\\s*[:=][ \\t]*["']?([^\\s"']*)`, "m").exec(
    text,
  )?.[1];
  if (own !== undefined) {
    return /^\$\{?\w+/.test(own) ? (/:-([^}]*)/.exec(own)?.[1] ?? project.variables[name]) : own;
  }
  // The value may stay with the shell: `- LATCHKEY_STORE`.
  if (new RegExp(`^\\s*-\\s*["']?${name}["']?\\s*$`, "m").test(text))
    return project.variables[name];
  const files = project.files.filter((each) =>
    new RegExp(`env_file:[^#]*?["'\\s/]${each.name.replaceAll(".", "\\.")}["'\\s]`).test(
      `${text}\n`,
    ),
  );
  return files.map((each) => parseEnv(each.text)[name]).findLast((value) => value !== undefined);
}
