/**
 * The layers of every workspace, as data: the allowed imports between parts. ARCHITECTURE.md
 * explains them. `tools/layers/` compares the imports with this list. The rule `import/no-cycle` of
 * the linter forbids circles between files.
 */

export interface Workspace {
  readonly root: string;
  /**
   * Its parts from top to bottom. A part may import itself and parts of lower rows, never a
   * sibling. A part is a folder, as a path from the root, or a file directly in the root; the
   * longest match counts. `*` stands for any characters of one name, and each match is a part of
   * its own.
   */
  readonly rows: readonly (readonly string[])[];
  /** Allowed packages of this repository, by name. */
  readonly packages: readonly string[];
  /** Allowed files and folders of other workspaces, by path. */
  readonly outside?: readonly string[];
  /**
   * All other dependencies, with the parts allowed to import them. Default: any part may import
   * any.
   */
  readonly dependencies?: ReadonlyMap<string, readonly string[]>;
  /** The files that may import modules of Node. Default: all. */
  readonly node?: RegExp;
  /** Parts that may import only types of other parts, with the reason. */
  readonly typesOnly?: Readonly<Record<string, string>>;
}

/** A feature is one folder. */
const engineRows = [
  ["adapters", "cli", "opentelemetry", "react", "testing"],
  ["audit", "metrics", "token-exchange", "mcp", "inspector", "moving", "relay", "connections"],
  ["index.ts"],
  ["api"],
  ["host"],
  ["routes"],
  ["activity"],
  ["refresh", "devices"],
  ["ends"],
  ["request"],
  ["context.ts"],
  ["principal"],
  ["oidc", "transaction", "session"],
  ["stores"],
  ["config"],
  ["telemetry"],
  ["ambient.ts"],
  ["http", "crypto"],
  ["errors"],
  ["time"],
];

/** The parts that may import each dependency of the engine: one folder wraps it. */
const engineDependencies = new Map([
  ["valibot", ["config"]],
  ["cookie", ["http"]],
  ["hono", ["adapters"]],
  ["fastify", ["adapters"]],
  ["koa", ["adapters"]],
  ["h3", ["adapters"]],
  ["next", ["adapters"]],
  ["@clack/prompts", ["cli"]],
  ["redis", ["stores"]],
  ["pg", ["stores"]],
  ["react", ["react"]],
  ["@opentelemetry/api", ["opentelemetry"]],
]);

const nodePlaces = /^(cli|crypto|stores|adapters)\//;

const nextjsAuth0Rows = [
  ["index.ts", "not-on-node.ts", "client.tsx"],
  ["guards.ts", "handlers.ts"],
  ["session.ts", "move-warnings.ts", "send-response.ts"],
  ["auth-of-caller.ts"],
  ["types.ts", "caller.ts"],
  ["authorization-params.ts", "errors.ts"],
  ["access-token-error-code.ts"],
];

const webRows = [["start"], ["check"], ["serving"]];

const pagesRows = [
  ["index.ts", "languages.ts", "gallery"],
  ["hosted"],
  [
    "pages/account",
    "pages/devices",
    "pages/home",
    "pages/kept-form",
    "pages/sample",
    "pages/setup",
    "pages/signed-out",
  ],
  ["pages"],
  ["pages/problem"],
  ["rendering"],
  ["client"],
  ["live"],
  ["components"],
  ["messages"],
];

const providerRows = [["main.ts"], ["environment.ts", "index.ts"], ["local", "hostile"], ["http"]];

const benchRows = [
  ["main.ts", "servers"],
  ["run.ts", "install.ts"],
  ["report"],
  ["cases"],
  ["testbed.ts"],
  ["measure"],
  ["programs.ts"],
  ["peers.d.ts"],
];

const storyRows = [
  ["stories"],
  ["crowd.ts"],
  ["site.ts"],
  [
    "axe.ts",
    "bundle-source.ts",
    "hydration.ts",
    "balancer.ts",
    "cookie-blocker.ts",
    "device-app.ts",
    "pages-app.ts",
    "preloading-app.ts",
    "instances.ts",
    "hostile-test-app.ts",
    "https-front.ts",
    "layout-shifts.ts",
    "other-site.ts",
    "pin-page.ts",
    "timed-test-app.ts",
    "shifted-clock.ts",
  ],
  ["client-settings.ts", "test-app.ts"],
];

const soakRows = [
  ["main.ts", "metrics-server.ts", "provider-process.ts"],
  ["previous.ts"],
  [
    "bound-session.ts",
    "deploys.ts",
    "faults.ts",
    "metrics.ts",
    "outage.ts",
    "record.ts",
    "refreshes.ts",
    "streams.ts",
  ],
  ["report.ts"],
];

const toolRows = [
  [
    "api-report.mjs",
    "bench.mjs",
    "check.mjs",
    "ci.mjs",
    "conformance.mjs",
    "examples.mjs",
    "mutants.mjs",
    "pictures.mjs",
    "provider.mjs",
    "rehearsal.mjs",
    "site.mjs",
    "soak.mjs",
    "start.mjs",
    "test.mjs",
  ],
  ["project-node.mjs"],
  ["census"],
  [
    "api-report",
    "build",
    "ci",
    "conformance",
    "docs",
    "examples",
    "layers",
    "lint",
    "mutants",
    "pictures",
    "pack-check",
    "provider",
    "rehearsal",
    "site",
    "store-sizes",
    "test",
    "vitest",
  ],
  ["check", "release"],
  ["browser", "servers", "start"],
  ["layers.ts", "on-shutdown.mjs", "own-program.ts"],
];

export const workspaces: readonly Workspace[] = [
  {
    root: "packages/latchkey/src",
    rows: engineRows,
    packages: [],
    dependencies: engineDependencies,
    node: nodePlaces,
    typesOnly: { react: "react/ speaks HTTP only" },
  },
  {
    root: "packages/nextjs-auth0/src",
    rows: nextjsAuth0Rows,
    packages: ["latchkey"],
  },
  { root: "packages/provider/src", rows: providerRows, packages: ["@latchkey/provider"] },
  { root: "packages/pages/src", rows: pagesRows, packages: ["latchkey"], node: /^$/ },
  {
    root: "apps/web/src",
    rows: webRows,
    packages: ["latchkey", "@latchkey/pages"],
    outside: ["packages/pages/src/gallery/gallery-app.ts"],
  },
  {
    root: "bench",
    rows: benchRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["packages/latchkey/dist", "packages/latchkey/test/browser", "tools/start"],
  },
  {
    root: "e2e",
    rows: storyRows,
    packages: ["latchkey", "@latchkey/pages", "@latchkey/provider"],
    outside: [
      "packages/latchkey/test",
      "packages/provider/test",
      "tools/browser",
      "tools/site",
      "tools/start",
    ],
  },
  {
    root: "tools",
    rows: toolRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: [
      "packages/latchkey/src/config",
      "packages/latchkey/test",
      "packages/latchkey/src/errors",
      "packages/latchkey/src/oidc",
      "packages/latchkey/src/routes",
      "packages/latchkey/src/telemetry",
      "packages/pages/build",
    ],
  },
  {
    root: "soak",
    rows: soakRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["e2e", "packages/latchkey/test", "tools/servers", "tools/start"],
  },
];
