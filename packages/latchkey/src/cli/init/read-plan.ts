import { globSync } from "node:fs";
import { join } from "node:path";

import { UsageError } from "../command.ts";
import { behindVite, detectHost, type Host, hosts, otherRuntimes } from "./hosts.ts";
import { type Project, readProject } from "./project.ts";
import { rivalSteps, stopBesideRival } from "./rivals.ts";
import { localPort, settingsSteps } from "./settings-steps.ts";
import type { Step } from "./step.ts";
import { runsVite } from "./vite-steps.ts";

/** What `init` would do. */
export interface Plan {
  readonly project: Project;
  readonly host: Host;
  readonly baseURL: string;
  readonly steps: readonly Step[];
  /** Packages that the manifest lacks. */
  readonly packages: readonly { readonly name: string; readonly isDev: boolean }[];
}

export interface PlanOptions {
  readonly folder: string;
  /** The id of a host. */
  readonly framework?: string | undefined;
  readonly baseURL?: string | undefined;
}

/**
 * Reads a project and plans its changes.
 *
 * @throws {UsageError} with the way on, if the project is none that `init` can set up
 */
export function readPlan({ folder, framework, baseURL: named }: PlanOptions): Plan {
  const project = readProject(folder);
  const host = behindVite(hostOf(project, framework), project);
  const baseURL = checkBaseURL(named ?? `http://localhost:${host.port(project)}`);
  const has = (name: string) => Object.hasOwn(project.manifest.dependencies, name);
  const types = project.isTypeScript ? typesFor(host) : [];
  const packages = [
    { name: "latchkey", isDev: false },
    { name: "@latchkey/provider", isDev: true },
    ...types.map((name) => ({ name, isDev: true })),
  ].filter(({ name }) => !has(name));
  const port = localPort(baseURL) ?? host.port(project);
  const rivals = rivalSteps(project);
  const steps = [...rivals, ...host.steps(project, port), ...settingsSteps(project, host, baseURL)];
  if (rivals.length > 0) stopBesideRival(steps);
  return { project, host, baseURL, steps, packages };
}

/** Without its own types, and those of Node, the code of a server does not compile. */
function typesFor({ types }: Host): readonly string[] {
  return types === undefined ? [] : ["@types/node", ...types];
}

function hostOf(project: Project, framework: string | undefined): Host {
  const ids = hosts.map(({ id }) => id).join(", ");
  if (framework !== undefined) {
    const named = hosts.find(({ id }) => id === framework);
    if (named !== undefined) return named;
    throw new UsageError(`--framework must be one of ${ids}.`);
  }
  const runtime = otherRuntimes.find((name) => Object.hasOwn(project.manifest.dependencies, name));
  const host = detectHost(project);
  if (runtime !== undefined && host?.steps === undefined) throw otherRuntime(runtime);
  if (runtime === "wrangler" && host?.id === "hono") throw otherRuntime(runtime);
  const members = workspaces(project);
  if (members.length > 0) {
    const own = host === null ? "" : `, or the root itself with --framework ${host.id}`;
    throw new UsageError(
      `This is the root of a workspace: name the package of the app, such as --cwd ${members[0]}${own}.`,
    );
  }
  if (host !== null) return host;
  if (runsVite(project)) {
    throw new UsageError(
      'An app of Vite needs a server for sign-in: run "npm install express" and init again, or see https://latchkey-auth.github.io/latchkey/guides/react.',
    );
  }
  throw new UsageError(
    `No framework of Latchkey is among the dependencies: name one with --framework (${ids}), or see https://latchkey-auth.github.io/latchkey/guides/web-standard.`,
  );
}

function otherRuntime(name: string): UsageError {
  return new UsageError(
    `${name} means a runtime that init does not change: https://latchkey-auth.github.io/latchkey/guides/workerd has the lines for Workers, Deno and Bun.`,
  );
}

/** Returns the folders of a workspace whose package has a host, or all of them. */
function workspaces({ folder, manifest, read }: Project): readonly string[] {
  const { workspaces: own } = manifest;
  const listed = Array.isArray(own) ? own : (own as { packages?: unknown } | undefined)?.packages;
  const yaml = [...(read("pnpm-workspace.yaml") ?? "").matchAll(/^\s*-\s*["']?([^"'\s#]+)/gm)];
  const patterns = [
    ...(Array.isArray(listed) ? listed : []),
    ...yaml.map(([, pattern]) => pattern),
  ].filter((pattern) => typeof pattern === "string" && !/^(?:!|\.?\/?$)/.test(pattern));
  const found = patterns.flatMap((pattern) =>
    globSync(`${pattern}/package.json`, { cwd: folder }).map((file) =>
      file.replaceAll("\\", "/").replace(/\/package\.json$/, ""),
    ),
  );
  const apps = found.filter((path) => hasHost(join(folder, path)));
  return (apps.length > 0 ? apps : found).toSorted();
}

function hasHost(folder: string): boolean {
  try {
    return detectHost(readProject(folder)) !== null;
  } catch {
    return false;
  }
}

function checkBaseURL(text: string): string {
  const protocol = URL.parse(text)?.protocol;
  if (protocol === "http:" || protocol === "https:") return text;
  throw new UsageError(
    "--base-url must be the address at which you open the app, such as http://localhost:3000.",
  );
}
