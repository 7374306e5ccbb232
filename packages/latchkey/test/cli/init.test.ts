import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import {
  commitAll,
  createProject,
  git,
  latchkey,
  manifest,
  readFiles,
  writeFiles,
} from "./project.ts";

const init = (folder: string, ...args: string[]) => latchkey(folder, ["init", ...args]);

const expressApp = `import express from 'express'

// const app = express(); is below
const app = express()

app.get('/', (req, res) => {
  res.send('const app = express()')
})

app.listen(8080)
`;

const expressProject = {
  "package.json": manifest(["express"], { scripts: { dev: "node --watch server.js" } }),
  "server.js": expressApp,
};

const created = [".env.example", ".env.local", ".gitignore", "package.json"];

describe("a host is found by its dependencies [FH-001]", () => {
  test.each([
    ["next", { "app/page.js": "" }, ["auth.js", "proxy.js"]],
    ["next", { "src/app/page.tsx": "", "tsconfig.json": "{}" }, ["src/auth.ts", "src/proxy.ts"]],
    [
      "@sveltejs/kit",
      { "vite.config.js": "export default { plugins: [sveltekit()] };\n" },
      ["src/hooks.server.js"],
    ],
    ["astro", { "astro.config.mjs": "export default defineConfig({});\n" }, ["src/middleware.js"]],
    ["nuxt", {}, ["server/plugins/sign-in.ts", "shared/types/latchkey.d.ts"]],
    ["@tanstack/react-start", {}, ["src/start.ts"]],
    ["express", {}, ["server.js"]],
    ["fastify", {}, ["server.js"]],
    ["hono", {}, ["server.js"]],
    ["koa", {}, ["server.js"]],
    ["h3", { "tsconfig.json": "{}" }, ["server.ts"]],
  ])("%s with %j gets %j", async (name, files, expected) => {
    const folder = createProject({ "package.json": manifest([name]), ...files });
    expect(await init(folder, "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
    expect(Object.keys(readFiles(folder))).toEqual(
      expect.arrayContaining([...created, ...expected]),
    );
  });

  test.each([
    [["express", "next"], "Next.js"],
    [["nitropack", "nuxt"], "Nuxt"],
    [["hono", "@react-router/dev"], "React Router"],
  ])("of %j, %s is the host", async (names, host) => {
    const folder = createProject({ "package.json": manifest(names) });
    expect((await init(folder, "--framework", "unknown")).exitCode).toBe(2);
    expect((await init(folder)).stdout).toMatch(new RegExp(`^${host} in `));
  });

  test("the package of a workspace is set up, and its root names it", async () => {
    const folder = createProject({
      "package.json": JSON.stringify({ workspaces: ["packages/*"] }),
      "packages/ui/package.json": manifest([]),
      "packages/web/package.json": manifest(["express"]),
    });
    const refused = await init(folder, "--yes");
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringMatching(/root of a workspace.*--cwd packages\/web\.\n$/),
    ]);
    expect((await init(folder, "--yes", "--cwd", "packages/web")).exitCode).toBe(0);
    const rootApp = JSON.parse(manifest(["express"], { workspaces: ["packages/*"] })) as object;
    writeFiles(folder, { "package.json": JSON.stringify(rootApp) });
    expect((await init(folder, "--yes")).stderr).toContain("with --framework express.");
  });
});

describe("the code of a server is changed", () => {
  test("in its own style, at the only place [FH-007]", async () => {
    const folder = createProject(expressProject);
    await init(folder, "--yes");
    expect(readFiles(folder)["server.js"]).toBe(`import express from 'express'
import { latchkey } from 'latchkey/express'
import { authFromEnvironment } from 'latchkey/node'

// const app = express(); is below
const auth = authFromEnvironment()
await auth.ready()

const app = express()
app.use(latchkey(auth))

app.get('/', (req, res) => {
  res.send('const app = express()')
})

app.listen(8080)
`);
    expect(readFiles(folder)[".env.local"]).toContain("LATCHKEY_BASE_URL=http://localhost:8080\n");
  });

  test("below its imports, without a blank line between them [FH-007]", async () => {
    const code = "import express from 'express'\nconst app = express()\nconst port = 8081\n";
    const folder = createProject({ ...expressProject, "server.js": code });
    const { stdout } = await init(folder, "--yes");
    expect(readFiles(folder)["server.js"]).toMatch(
      /^import express .*\nimport \{ latchkey \}.*\nimport \{ auth.*\nconst auth = [^]*\nconst app = /,
    );
    expect(stdout).toContain("open http://localhost:8081/ and sign in");
  });

  test("with its line ends and its byte order mark [FH-007]", async () => {
    const windows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    const folder = createProject({
      "package.json": windows(expressProject["package.json"]),
      "server.js": windows(expressApp),
      ".env.local": "OTHER=1\r\n",
    });
    expect(await init(folder, "--yes")).toMatchObject({ exitCode: 0 });
    const files = readFiles(folder);
    for (const name of ["server.js", "package.json"]) {
      expect(files[name]).toMatch(/^\uFEFF[^\uFEFF]*latchkey/);
      expect(files[name]).not.toMatch(/(?<!\r)\n/);
    }
    expect(files[".env.local"]).toMatch(/^OTHER=1\r\n#[^\n]*\r\nLATCHKEY_BASE_URL=\S+\r\n/);
  });

  test.each([
    ["two apps", "const one = express();\nconst two = express();\n"],
    ["an app in a function", "function make() {\n  const app = express();\n}\n"],
    ["a chain", "const app = express()\n  .use(log);\n"],
    ["an own name auth", 'import { auth } from "./auth.js";\nconst app = express();\n'],
  ])("but not for %s: the lines to add are printed [FH-004]", async (_, code) => {
    const files = { ...expressProject, "server.js": `import express from "express";\n${code}` };
    const folder = createProject(files);
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/Nothing has changed\. server\.js [^]*latchkey\/express/),
    ]);
    expect(readFiles(folder)).toEqual(files);
  });

  test("but not in CommonJS [FH-011]", async () => {
    const files = {
      "package.json": manifest(["express"], { type: "commonjs" }),
      "index.js": 'const express = require("express");\nconst app = express();\n',
    };
    const folder = createProject(files);
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^index\.js is CommonJS/)]);
    expect(readFiles(folder)).toEqual(files);
  });
});

describe("the settings", () => {
  test("are written for this account alone, with fresh secrets, and kept out of git [FH-010]", async () => {
    const [one, two] = [createProject(expressProject), createProject(expressProject)];
    commitAll(one);
    await init(one, "--yes");
    await init(two, "--yes");
    const text = readFiles(one)[".env.local"] ?? "";
    const secret = /^LATCHKEY_SECRET=(.+)$/m.exec(text)?.[1] ?? "";
    expect(Buffer.from(secret, "base64")).toHaveLength(32);
    expect(readFiles(two)[".env.local"]).not.toContain(secret);
    expect(statSync(path.join(one, ".env.local")).mode & 0o777).toBe(0o600);
    expect(git(one, "status", "--porcelain", "-uall")).not.toContain(".env.local");
    expect(readFiles(one)[".env.example"]).toContain("LATCHKEY_SECRET=\n");
  });

  test("keep their values, and get what is missing [FH-010]", async () => {
    const own = "# mine\nLATCHKEY_SECRET=kept-secret-of-mine\n";
    const folder = createProject({
      ...expressProject,
      ".env.local": own,
      ".env": "LATCHKEY_CLIENT_ID=mine\n",
    });
    await init(folder, "--yes");
    const text = readFiles(folder)[".env.local"];
    expect(text).toMatch(/^# mine\nLATCHKEY_SECRET=kept-secret-of-mine\nLATCHKEY_BASE_URL=/);
    expect(text).not.toContain("LATCHKEY_CLIENT_ID");
  });

  test("a script of several commands is left to the developer", async () => {
    const complex = manifest(["express"], { scripts: { dev: "tsc && node server.js" } });
    const folder = createProject({ ...expressProject, "package.json": complex });
    expect((await init(folder, "--yes")).stderr).toMatch(/package\.json has a script dev/);
  });
});

describe("nothing is lost", () => {
  test("a second run changes nothing [FH-003]", async () => {
    const folder = createProject(expressProject);
    await init(folder, "--yes");
    const before = readFiles(folder);
    expect(await init(folder)).toMatchObject({ exitCode: 0 });
    expect(readFiles(folder)).toEqual(before);
  });

  test("a half-done project is completed [FH-003]", async () => {
    const folder = createProject({ "package.json": manifest(["next"]) });
    await init(folder, "--yes");
    const { "proxy.js": proxy = "", ...rest } = readFiles(folder);
    const half = createProject(rest);
    await init(half, "--yes");
    expect(readFiles(half)).toEqual({ ...rest, "proxy.js": proxy });
  });

  test("another middleware of the app stops it, with the lines to add [FH-004]", async () => {
    const files = {
      "package.json": manifest(["next"]),
      "proxy.ts": "export function proxy() {}\n",
    };
    const folder = createProject(files);
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/proxy\.ts has other code/)]);
    expect(readFiles(folder)).toEqual(files);
  });

  test("a middleware of the app is named in Next.js 16, which takes no proxy beside it", async () => {
    const files = {
      "package.json": manifest(["next"]),
      "middleware.ts": "export function middleware() {}\n",
    };
    const folder = createProject(files);
    const { exitCode, stdout, stderr } = await init(folder, "--yes");
    expect([exitCode, stdout + stderr]).toEqual([
      2,
      expect.stringMatching(/middleware\.ts must become proxy\.ts/),
    ]);
    expect(readFiles(folder)).toEqual(files);
  });

  test("a planned file with changes without a commit stops it, another one does not [FH-004]", async () => {
    const folder = createProject({ ...expressProject, "other.js": "" });
    commitAll(folder);
    writeFiles(folder, { "other.js": "changed", "server.js": `${expressApp}// mine\n` });
    const before = readFiles(folder);
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/^server\.js has changes/)]);
    expect(readFiles(folder)).toEqual(before);
    git(folder, "checkout", "-q", "server.js");
    expect((await init(folder, "--yes")).exitCode).toBe(0);
  });

  test("an installation without a commit does not stop it", async () => {
    const without = expressProject["package.json"].replace('    "latchkey": "*",\n', "");
    const folder = createProject({ ...expressProject, "package.json": without });
    commitAll(folder);
    writeFiles(folder, { "package.json": expressProject["package.json"] });
    expect((await init(folder, "--yes")).exitCode).toBe(0);
  });

  test("a file that cannot be written leaves all others as they were [FH-005]", async () => {
    const folder = createProject(expressProject);
    mkdirSync(path.join(folder, ".env.example"));
    const before = readFiles(folder);
    const { exitCode } = await init(folder, "--yes");
    expect(exitCode).not.toBe(0);
    expect(readFiles(folder)).toEqual(before);
  });

  test("a write that fails in the middle leaves the folder as it was [FH-005]", async () => {
    const folder = createProject({ "package.json": manifest(["nuxt"]), "shared/types": "a file" });
    const before = readFiles(folder);
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/nothing has changed/)]);
    expect(readFiles(folder)).toEqual(before);
  });
});

describe("--dry-run", () => {
  test("prints what is written as a diff for git, and writes nothing [FH-002]", async () => {
    const folder = createProject(expressProject);
    commitAll(folder);
    const { stdout } = await init(folder, "--dry-run");
    expect(readFiles(folder)).toEqual(expressProject);
    execFileSync("git", ["apply", "-"], { cwd: folder, input: stdout });
    const applied = readFiles(folder);
    const other = createProject(expressProject);
    await init(other, "--yes");
    const { ".env.local": secrets = "", ...written } = readFiles(other);
    expect(applied).toEqual(written);
    expect(stdout).toMatch(/^# \.env\.local gets LATCHKEY_BASE_URL, .*LATCHKEY_SECRET/);
    expect(secrets).not.toBe("");
  });
});

describe("without a terminal", () => {
  test("it needs --yes, and changes nothing without it [FH-006]", async () => {
    const folder = createProject(expressProject);
    const { exitCode, stderr, stdout } = await init(folder);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(stdout).toMatch(/change {2}server\.js/);
    expect(readFiles(folder)).toEqual(expressProject);
  });

  test("two lock files need --package-manager [FH-008]", async () => {
    const folder = createProject({
      "package.json": JSON.stringify({ type: "module", dependencies: { express: "*" } }),
      "package-lock.json": "{}",
      "yarn.lock": "",
    });
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--package-manager")]);
    const chosen = await init(folder, "--package-manager", "pnpm");
    expect(chosen.stdout).toContain("pnpm add latchkey\n  run     pnpm add -D @latchkey/provider");
  });

  test("an installation that fails leaves the files and prints the command [FH-008]", async () => {
    const folder = createProject({
      "package.json": JSON.stringify({ dependencies: { latchkey: "*", express: "*" } }),
      ".npmrc": "registry=http://127.0.0.1:9\nfetch-retries=0\n",
    });
    const { exitCode, stderr } = await init(folder, "--yes");
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("npm install -D @latchkey/provider"),
    ]);
    expect(readFiles(folder)).toHaveProperty("server.mjs");
  });
});

test.each([
  ["no package.json", {}, /no package\.json/],
  ["Deno", { "deno.json": "{}" }, /Deno project/],
  ["a broken package.json", { "package.json": "{" }, /not valid JSON/],
  ["an unknown framework", { "package.json": manifest(["vue"]) }, /--framework/],
  ["Workers", { "package.json": manifest(["hono", "wrangler"]) }, /guides\/workerd/],
])("%s ends with one sentence and nothing written [FH-011]", async (_, files, text) => {
  const folder = createProject(files);
  const { exitCode, stderr } = await init(folder, "--yes");
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(text)]);
  expect(stderr.trim()).not.toContain("\n");
  expect(readFiles(folder)).toEqual(files);
});
