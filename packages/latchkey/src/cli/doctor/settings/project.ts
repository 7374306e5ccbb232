import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";

import { type Config, readConfig } from "../../../config/config.ts";
import {
  connectionsFileVariable,
  type EnvironmentSettings,
  optionsFromEnvironment,
} from "../../../config/environment.ts";
import { secretsOf, type Texts } from "../../../config/settings-in-files.ts";
import { reasonOf, UsageError } from "../../command.ts";
import { ConfigError, type ConfigFault } from "../../../errors/config-error.ts";
import { faultOfJSON } from "../../../crypto/strict-json.ts";
import { readIfAny } from "../../env/read-if-any.ts";
import { type DeploymentFiles, readDeploymentFiles } from "./deployment-files.ts";
import { copiesIn, type InstalledPackage, type Misfit, misfitsIn, readJSON } from "./installed.ts";
import { knownToOthers } from "./known-variables.ts";
import { readSecretFiles, type SecretFile } from "./secret-file.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** A file with variables. */
export interface VariableFile {
  readonly name: string;
  /** As it is, with byte order mark and line ends. */
  readonly text: string;
  readonly variables: Variables;
  readonly isTracked: boolean;
  /** In a work tree of git that does not ignore it. */
  readonly isExposed: boolean;
}

/** What is known of an app without a request. */
export interface Project {
  readonly environment: Variables;
  /** From the weakest to the strongest. */
  readonly files: readonly VariableFile[];
  /** Of all sources, with the text of secret files; the strongest wins. */
  readonly variables: Variables;
  /** What the variables set, without what is missing. */
  readonly options: object;
  readonly config: Config | null;
  readonly faults: readonly ConfigFault[];
  /** The running app leads to a provider with settings that are not here. */
  readonly isInCode?: boolean;
  readonly secretFiles: readonly SecretFile[];
  /** What `optionsFromEnvironment` warns of. */
  readonly warnings: readonly string[];
  readonly manifest: Manifest | null;
  /** What stands beside the app: of containers, of process managers, of its framework. */
  readonly deployment: DeploymentFiles;
  /** Files with variables of Latchkey under names that are not read. */
  readonly lookalikes: readonly string[];
  /** Installed copies of `latchkey`. */
  readonly copies: readonly InstalledPackage[];
  /** Installed packages that do not fit the installed `latchkey`. */
  readonly misfits: readonly Misfit[];
  readonly nodeVersion: string;
}

export interface Manifest {
  readonly dependencies?: Variables;
  readonly devDependencies?: Variables;
  readonly scripts?: Variables;
  readonly engines?: { readonly node?: string };
}

const names = (mode: string): readonly string[] => [
  ".env",
  `.env.${mode}`,
  ".env.local",
  `.env.${mode}.local`,
];

/**
 * Reads what a folder and the environment say. Writes nothing, and opens no connection.
 *
 * @param isElsewhere - whether the settings are for another machine, which may have other files
 */
export function readProject(
  folder: string,
  environment: Variables,
  nodeVersion: string,
  isElsewhere = false,
): Project {
  const mode = environment["NODE_ENV"] || "development";
  const files = names(mode)
    .filter((name) => existsSync(path.join(folder, name)))
    .map((name) => readVariableFile(folder, name));
  const ofFiles = Object.assign({}, ...files.map(({ variables }) => variables));
  const named = { ...ofFiles, ...environment };
  const read = optionsFromEnvironment(named, knownToOthers);
  const secretFiles = readSecretFiles(folder, filesNamedIn(read), isElsewhere);
  const texts = new Map(secretFiles.map(({ variable, text }) => [variable, text]));
  const options = { ...read.options, ...secretsOf(texts, read) };
  const { config, faults } = judgeSettings(options, read.storeURL !== undefined);
  return {
    environment,
    files,
    variables: { ...named, ...variablesOf(read.secretFiles, texts) },
    options,
    config,
    faults: faults.map((fault) => inFile(fault, read.connectionsFile, texts)),
    warnings: read.warnings,
    secretFiles,
    manifest: readJSON(path.join(folder, "package.json")),
    deployment: readDeploymentFiles(folder),
    lookalikes: lookalikesIn(folder, names(mode)),
    copies: copiesIn(folder),
    misfits: misfitsIn(folder),
    nodeVersion,
  };
}

function filesNamedIn({ secretFiles, connectionsFile }: EnvironmentSettings) {
  return connectionsFile === undefined
    ? secretFiles
    : [...secretFiles, { variable: connectionsFileVariable, file: connectionsFile }];
}

/** Connections that are no settings are those of the file, if there is one. */
function inFile(fault: ConfigFault, file: string | undefined, texts: Texts): ConfigFault {
  const text = texts.get(connectionsFileVariable);
  if (fault.option !== "connections" || file === undefined || text === undefined) return fault;
  return {
    ...fault,
    variable: connectionsFileVariable,
    message: `names ${file}, which has no settings of connections: ${faultOfJSON(new TextEncoder().encode(text))}`,
    remedy: `Write the settings of each connection by its id into it, as JSON: {"acme": {"issuerBaseURL": "…", "clientID": "…"}}`,
  };
}

/** Each secret as if its variable had it. */
function variablesOf(secretFiles: EnvironmentSettings["secretFiles"], texts: Texts): Variables {
  return Object.fromEntries(
    secretFiles.map(({ variable }) => [variable.replace(/_FILE$/, ""), texts.get(variable) ?? ""]),
  );
}

function judgeSettings(options: object, hasStore: boolean): Pick<Project, "config" | "faults"> {
  try {
    return { config: readConfig(options, { hasStore }), faults: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, faults: error.faults };
    throw error;
  }
}

/** Also one folder up, as in a workspace. */
function lookalikesIn(folder: string, read: readonly string[]): readonly string[] {
  return globSync(["{.,}*env*", "../.env*"], { cwd: folder })
    .filter(
      (name) =>
        !read.includes(name) &&
        statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile(),
    )
    .filter((name) =>
      /^\s*(?:export\s+)?LATCHKEY_\w+\s*=/m.test(readIfAny(path.join(folder, name)) ?? ""),
    )
    .toSorted();
}

function readVariableFile(folder: string, name: string): VariableFile {
  const text = readFile(folder, name);
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder }).status;
  const isTracked = git("ls-files", "--error-unmatch", name) === 0;
  const isExposed = !isTracked && git("check-ignore", "-q", name) === 1;
  return { name, text, variables: parseEnv(text), isTracked, isExposed };
}

function readFile(folder: string, name: string): string {
  try {
    return readFileSync(path.join(folder, name), "utf8");
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
