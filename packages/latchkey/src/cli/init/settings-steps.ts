import { randomBytes } from "node:crypto";

import { appendVariables, type EnvLine, hasVariable } from "../env/append-variables.ts";
import { envLine } from "../env/env-line.ts";
import { insertScript } from "./edit/insert-script.ts";
import { isIgnored } from "./git.ts";
import type { Host } from "./hosts.ts";
import type { Project } from "./project.ts";
import { alreadyThere, changeFile, type Step } from "./step.ts";

/** The local provider, as `latchkey provider` starts it. */
const localClientID = "latchkey-local";
const localIssuer = "http://localhost:4000";

export const secretFile = ".env.local";

/** Variables for the local provider, with fresh secrets. */
function variablesFor(baseURL: string, publicPaths?: string): readonly EnvLine[] {
  const values = {
    LATCHKEY_BASE_URL: baseURL,
    LATCHKEY_ISSUER_BASE_URL: localIssuer,
    LATCHKEY_CLIENT_ID: localClientID,
    LATCHKEY_CLIENT_SECRET: randomBytes(32).toString("base64url"),
    LATCHKEY_SECRET: randomBytes(32).toString("base64"),
    ...(publicPaths === undefined ? {} : { LATCHKEY_PUBLIC_PATHS: publicPaths }),
  };
  return Object.entries(values).map(([name, value]) => ({ name, text: envLine(name, value) }));
}

/** The steps for `.gitignore`, `.env.local`, `.env.example` and the script `dev`. */
export function settingsSteps(project: Project, host: Host, baseURL: string): readonly Step[] {
  const lines = variablesFor(baseURL, host.publicPaths);
  return [
    ...ignoreStep(project),
    secretStep(project, lines),
    exampleStep(project, lines),
    scriptStep(project, host, baseURL),
  ];
}

/** The file with secrets is ignored before it exists. */
export function ignoreStep(project: Pick<Project, "folder" | "read">): readonly Step[] {
  const before = project.read(".gitignore");
  const isListed = /^\/?(?:\.env\.local|\.env\*(?:\.local)?|\*\.local|\.env\.\*)\s*$/m.test(
    before ?? "",
  );
  if (isIgnored(project.folder, secretFile) ?? isListed) return [];
  const lineEnd = before?.includes("\r\n") === true ? "\r\n" : "\n";
  const start = before === null || before === "" || before.endsWith("\n") ? "" : lineEnd;
  const listed = before === null ? `node_modules/${lineEnd}` : `${before}${start}`;
  const after = `${listed}${secretFile}${lineEnd}`;
  const what = before === null ? "create" : "change";
  return [{ kind: "change", change: { path: ".gitignore", before, after }, what }];
}

/** What `.env` sets already is not set again. */
function secretStep(project: Project, lines: readonly EnvLine[]): Step {
  const others = project.read(".env") ?? "";
  const missing = lines.filter(({ name = "" }) => !hasVariable(others, name));
  const before = project.read(secretFile);
  const isFresh = before === null || !before.includes("LATCHKEY_");
  const comment: EnvLine[] = isFresh
    ? [
        {
          text: "# Latchkey, with its local provider. `latchkey connect <issuer>` sets another one.",
        },
      ]
    : [];
  const after = appendVariables(before ?? "", [...comment, ...missing]);
  if (after === before || after === "")
    return { kind: "skip", path: secretFile, reason: alreadyThere };
  const what = before === null ? "create" : "add what is missing";
  return { kind: "change", change: { path: secretFile, before, after, mode: 0o600 }, what };
}

/** The names alone, for the next developer. */
function exampleStep(project: Project, lines: readonly EnvLine[]): Step {
  const path = ".env.example";
  const before = project.read(path);
  const names = lines.map(({ name = "" }) => ({ name, text: `${name}=` }));
  const after = appendVariables(before ?? "", names);
  if (after === before) return { kind: "skip", path, reason: alreadyThere };
  return {
    kind: "change",
    change: { path, before, after },
    what: before === null ? "create" : "add what is missing",
  };
}

/** Lets the development server listen at the address that users open. */
function portFlag(project: Project, host: Host, baseURL: string): string {
  const port = localPort(baseURL);
  const script = project.manifest.scripts["dev"] ?? host.dev(project);
  const isNamed = /(?:--port|-p)\b/.test(script);
  return port === null || isNamed || port === host.port(project) ? "" : ` --port ${port}`;
}

/** The port of an address of this machine; `null` for another one, or without a port. */
export function localPort(address: string): number | null {
  const { hostname, port } = new URL(address);
  return hostname === "localhost" && port !== "" ? Number(port) : null;
}

/** `npm run dev` reads the variables, and starts the local provider if they name it. */
function scriptStep(project: Project, host: Host, baseURL: string): Step {
  const path = "package.json";
  const before = project.read(path) ?? "";
  const present = project.manifest.scripts["dev"];
  if (present?.includes("latchkey provider") === true)
    return { kind: "skip", path, reason: alreadyThere };
  const beside = host.beside === undefined ? "" : `--with "${host.beside}" `;
  const port = host.takesPort === true ? portFlag(project, host, baseURL) : "";
  const command = `latchkey provider ${beside}-- ${present ?? host.dev(project)}${port}`;
  // A shell would run only the first of several commands inside.
  const isComplex = /[&|;<>$()`]|^\s*\w+=/.test(present ?? "");
  const plain = before.replace(/^\uFEFF/, "");
  const after = isComplex ? null : insertScript(plain, "dev", command);
  if (after === null) {
    const reason = "has a script dev that init does not change";
    return {
      kind: "blocked",
      path,
      reason,
      lines: `"dev": ${JSON.stringify(command)}\n`,
    };
  }
  return changeFile(path, before, () => after);
}
