import { type DevServer, devPort } from "./dev-port.ts";
import * as frameworks from "./framework-steps.ts";
import type { Project } from "./project.ts";
import { atPort, newServerFile, entryOf, serverSteps, type ServerShape } from "./server-steps.ts";
import { createFile, type Step } from "./step.ts";
import * as servers from "./templates/servers.ts";
import {
  reactSteps,
  runsVite,
  serverTypesStep,
  showsSignIn,
  viteConfigStep,
  vitePort,
} from "./vite-steps.ts";

/** A framework that `init` can set up. */
export interface Host {
  /** The value of `--framework`. */
  readonly id: string;
  readonly name: string;
  /** One of these dependencies means this host. */
  readonly packages: readonly string[];
  /** The port of its development server. */
  readonly port: (project: Project) => number;
  /** The page to open. */
  readonly page: (project: Project) => string;
  /** Paths without sign-in, such as the files of the build. */
  readonly publicPaths?: string;
  /** The script `dev`, if there is none. */
  readonly dev: (project: Project) => string;
  /** Whether that command takes `--port`. */
  readonly takesPort?: boolean;
  /** A command that runs beside the script `dev`. */
  readonly beside?: string;
  readonly guide: string;
  /** @param port - of the address that users open */
  readonly steps: (project: Project, port: number) => readonly Step[];
  /** Packages with the types of the framework, which has none. */
  readonly types?: readonly string[];
}

const express: ServerShape = {
  entry: "express",
  creation: /\bexpress\s*\(/,
  method: "use",
  types: ["@types/express"],
  template: servers.expressServer,
  behindVite: servers.expressBehindVite,
};
const hono: ServerShape = {
  entry: "hono",
  creation: /\bnew\s+Hono\s*(?:<[^>]*>)?\s*\(/,
  method: "use",
  template: servers.honoServer,
  behindVite: servers.honoBehindVite,
};
const fastify: ServerShape = {
  entry: "fastify",
  creation: /\b[fF]astify\s*(?:<[^>]*>)?\s*\(/,
  method: "register",
  template: servers.fastifyServer,
};
const koa: ServerShape = {
  entry: "koa",
  creation: /\bnew\s+Koa\s*(?:<[^>]*>)?\s*\(/,
  method: "use",
  types: ["@types/koa"],
  template: servers.koaServer,
};
const h3: ServerShape = {
  entry: "h3",
  creation: /\bnew\s+H3\s*(?:<[^>]*>)?\s*\(/,
  method: "use",
  template: servers.h3Server,
};

function serverHost(name: string, shape: ServerShape, packages: readonly string[]): Host {
  const codeOf = (project: Project) => project.read(fileOf(project)) ?? shape.template;
  const fileOf = (project: Project) => entryOf(project, shape) ?? newServerFile(project);
  return {
    id: shape.entry,
    name,
    packages,
    port: (project) => portIn(codeOf(project)),
    page: (project) => (/["']\/hello["']/.test(codeOf(project)) ? "/hello" : "/"),
    dev: (project) => `node --watch ${fileOf(project)}`,
    guide: `https://latchkey-auth.github.io/latchkey/guides/${shape.entry}`,
    steps: (project, port) => serverSteps(project, shape, port),
    types: shape.types ?? [],
  };
}

/**
 * If Vite serves the pages, users open its address, and it forwards our paths to the server. Its
 * pages are public in development, so sign-in starts with a link or at the login route.
 */
export function behindVite(host: Host, project: Project): Host {
  if (!runsVite(project)) return host;
  return {
    ...host,
    name: `${host.name} behind Vite`,
    port: vitePort,
    page: () => (showsSignIn(project) ? "/" : "/api/auth/login"),
    beside: host.dev(project),
    guide: "https://latchkey-auth.github.io/latchkey/guides/react",
    steps: (_project, port) => {
      const found = host.port(project);
      // Both cannot listen at one port.
      const ownPort = found === port ? found + 1 : found;
      return [
        ...host.steps(project, ownPort),
        viteConfigStep(project, port, ownPort),
        ...serverTypesStep(project, newServerFile(project)),
        ...reactSteps(project),
      ];
    },
  };
}

/** The port in the code of a server, 3000 by default. */
function portIn(code: string): number {
  const match =
    /\.listen\(\s*(\d{2,5})|\bport\s*[:=]\s*(\d{2,5})|\bPORT\s*(?:\|\||\?\?)\s*(\d{2,5})/i.exec(
      code,
    );
  return Number(match?.slice(1).find((port) => port !== undefined) ?? 3000);
}

function frameworkHost(
  host: Pick<Host, "id" | "name" | "packages" | "steps" | "publicPaths"> & DevServer,
): Host {
  return {
    ...host,
    port: (project) => devPort(project, host),
    page: () => "/",
    dev: () => host.dev,
    takesPort: true,
    guide: `https://latchkey-auth.github.io/latchkey/guides/${host.id}`,
  };
}

/** Every host, the first match wins: a framework comes before the server below it. */
export const hosts: readonly Host[] = [
  frameworkHost({
    id: "next",
    name: "Next.js",
    packages: ["next"],
    port: 3000,
    dev: "next dev",
    steps: frameworks.nextSteps,
  }),
  frameworkHost({
    id: "nuxt",
    name: "Nuxt",
    packages: ["nuxt"],
    port: 3000,
    config: "nuxt.config",
    dev: "nuxt dev",
    publicPaths: "/_nuxt/",
    steps: frameworks.nuxtSteps,
  }),
  frameworkHost({
    id: "sveltekit",
    name: "SvelteKit",
    packages: ["@sveltejs/kit"],
    port: 5173,
    config: "vite.config",
    dev: "vite dev",
    steps: frameworks.svelteKitSteps,
  }),
  frameworkHost({
    id: "astro",
    name: "Astro",
    packages: ["astro"],
    port: 4321,
    config: "astro.config",
    dev: "astro dev",
    steps: frameworks.astroSteps,
  }),
  frameworkHost({
    id: "react-router",
    name: "React Router",
    packages: ["@react-router/dev"],
    port: 5173,
    config: "vite.config",
    dev: "react-router dev",
    steps: frameworks.reactRouterSteps,
  }),
  frameworkHost({
    id: "tanstack-start",
    name: "TanStack Start",
    packages: ["@tanstack/react-start"],
    port: 5173,
    config: "vite.config",
    dev: "vite dev --port 3000",
    steps: frameworks.tanStackStartSteps,
  }),
  frameworkHost({
    id: "nitro",
    name: "Nitro",
    packages: ["nitro", "nitropack"],
    port: 3000,
    dev: "nitro dev",
    steps: frameworks.nitroSteps,
  }),
  serverHost("Fastify", fastify, ["fastify"]),
  serverHost("Koa", koa, ["koa"]),
  serverHost("Hono", hono, ["hono"]),
  serverHost("Express", express, ["express"]),
  serverHost("h3", h3, ["h3"]),
  {
    id: "node",
    name: "node:http",
    packages: [],
    port: () => 3000,
    page: () => "/",
    dev: (project) => `node --watch ${newServerFile(project)}`,
    guide: "https://latchkey-auth.github.io/latchkey/guides/node-http",
    steps: (project, port) => [
      createFile(project, newServerFile(project), atPort(servers.nodeServer, port)),
    ],
  },
];

/** Packages of runtimes that `init` does not change, with what to do there. */
export const otherRuntimes: readonly string[] = [
  "wrangler",
  "@cloudflare/workers-types",
  "bun-types",
  "@types/bun",
];

/** Returns the host of a project, or `null`. */
export function detectHost({ manifest }: Project): Host | null {
  const has = (name: string) => Object.hasOwn(manifest.dependencies, name);
  return hosts.find(({ packages }) => packages.some((name) => has(name))) ?? null;
}
