import { afterBracket } from "./edit/insert.ts";
import { maskCode } from "./edit/mask-code.ts";
import type { Project } from "./project.ts";
import { firstOf } from "./step.ts";

/** A development server. */
export interface DevServer {
  /** The script `dev`, if there is none. */
  readonly dev: string;
  /** Its configuration without the extension, if that may name a port: `vite.config`. */
  readonly config?: string;
  readonly port: number;
}

/** Returns the port in the script `dev`, in the configuration, or the default. */
export function devPort(project: Project, { dev, config, port }: DevServer): number {
  const script = project.manifest.scripts["dev"] ?? dev;
  const named = /(?:--port[= ]|-p )(\d+)/.exec(script)?.[1];
  return Number(named ?? (config && configuredPort(project, config)) ?? port);
}

export function configFile(project: Project, bare: string): string | null {
  return firstOf(project, bare, ["ts", "js", "mts", "mjs"]);
}

/** The `port` in the options `server` of Vite and Astro, or `devServer` of Nuxt. */
function configuredPort(project: Project, bare: string): string | undefined {
  const path = configFile(project, bare);
  const code = maskCode((path === null ? null : project.read(path)) ?? "");
  const server = /\b(?:server|devServer)\s*:\s*(?=\{)/.exec(code);
  if (server === null) return undefined;
  const open = server.index + server[0].length;
  return /\bport\s*:\s*(\d+)/.exec(code.slice(open, afterBracket(code, open)))?.[1];
}
