/**
 * The layers of every workspace, as data: which part may import which. ARCHITECTURE.md tells why.
 * `tools/layers/` reads the imports and compares. That no circle exists between files is a rule of
 * the linter, `import/no-cycle`.
 */

export interface Workspace {
  readonly root: string;
  /**
   * Its parts from top to bottom. A part may import itself and parts of lower rows, never a
   * sibling. A part is a folder or a file, as a path from the root; the longest that fits counts.
   * `*` stands for any characters of one name, and each file that fits is then a part of its own.
   */
  readonly rows: readonly (readonly string[])[];
  /** Packages of this repository that it may import by name. */
  readonly packages: readonly string[];
  /** Files and folders of other workspaces that it may import by path. */
  readonly outside?: readonly string[];
  /**
   * All other dependencies, and the parts that may import them. Without it, any part may import
   * any.
   */
  readonly dependencies?: ReadonlyMap<string, readonly string[]>;
  /** Where modules of Node may be imported; everywhere by default. */
  readonly node?: RegExp;
  /** Parts that may import only types of other parts, and why. */
  readonly typesOnly?: Readonly<Record<string, string>>;
}

const engineRows = [
  ["adapters", "cli", "opentelemetry", "react", "testing"],
  ["audit", "metrics"],
  ["index.ts"],
  ["auth.ts"],
  ["host"],
  ["routes"],
  ["access"],
  ["context.ts"],
  ["oidc", "transaction", "session"],
  ["stores"],
  ["config"],
  ["http", "crypto"],
  ["errors"],
  ["back-off.ts", "rate-limit.ts", "background.ts", "recent-map.ts"],
  ["deadline.ts"],
  ["maybe-promise.ts"],
];

/** Where each dependency of the engine may be imported: one folder wraps it. */
const engineDependencies = new Map([
  ["oauth4webapi", ["oidc", "crypto"]],
  ["jose", ["oidc", "crypto"]],
  ["valibot", ["config"]],
  ["cookie", ["http"]],
  ["hono", ["adapters"]],
  ["fastify", ["adapters"]],
  ["koa", ["adapters"]],
  ["h3", ["adapters"]],
  ["next", ["adapters"]],
  ["redis", ["adapters"]],
  ["pg", ["adapters"]],
  ["react", ["react"]],
  ["@opentelemetry/api", ["opentelemetry"]],
]);

const nodePlaces = /^(cli|crypto|stores|adapters)\//;

const webRows = [
  ["start"],
  ["gallery"],
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
  ["serving"],
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
    "hydration.ts",
    "balancer.ts",
    "cookie-blocker.ts",
    "instances.ts",
    "hostile-test-app.ts",
    "https-front.ts",
    "layout-shifts.ts",
    "other-site.ts",
    "timed-test-app.ts",
    "shifted-clock.ts",
  ],
  ["test-app.ts"],
];

const soakRows = [
  ["main.ts", "metrics-server.ts", "provider-process.ts"],
  ["previous.ts"],
  ["deploys.ts", "faults.ts", "metrics.ts", "outage.ts", "record.ts", "refreshes.ts", "streams.ts"],
  ["tell.ts"],
];

const toolRows = [
  [
    "bench.mjs",
    "check.mjs",
    "ci.mjs",
    "conformance.mjs",
    "mutants.mjs",
    "provider.mjs",
    "soak.mjs",
    "start.mjs",
    "test.mjs",
  ],
  ["project-node.mjs"],
  [
    "build",
    "ci",
    "conformance",
    "docs",
    "layers",
    "mutants",
    "pack-check",
    "provider",
    "store-sizes",
    "test",
    "vitest",
  ],
  ["check"],
  ["browser", "servers", "start"],
  ["layers.ts", "on-shutdown.mjs"],
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
  { root: "packages/provider/src", rows: providerRows, packages: ["@latchkey/provider"] },
  { root: "apps/web/src", rows: webRows, packages: ["latchkey", "@latchkey/web"] },
  {
    root: "bench",
    rows: benchRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["packages/latchkey/dist", "tools/start"],
  },
  {
    root: "e2e",
    rows: storyRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["packages/latchkey/test", "packages/provider/test", "tools/start"],
  },
  {
    root: "tools",
    rows: toolRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["packages/latchkey/src/config", "packages/latchkey/test"],
  },
  {
    root: "soak",
    rows: soakRows,
    packages: ["latchkey", "@latchkey/provider"],
    outside: ["e2e", "packages/latchkey/test", "tools/servers", "tools/start"],
  },
];
