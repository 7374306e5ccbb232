import { describe, expect, test } from "vitest";

import { createProject, latchkey, readFiles } from "./project.ts";

const init = (folder: string, ...args: string[]) => latchkey(folder, ["init", "--yes", ...args]);

const versions = {
  latchkey: "*",
  "@latchkey/provider": "*",
  "@types/node": "*",
  "@types/express": "*",
  react: "*",
  vite: "*",
  express: "*",
};

describe("an app of create-vite", () => {
  const files = {
    "package.json": JSON.stringify({
      type: "module",
      scripts: { dev: "vite" },
      dependencies: versions,
    }),
    "index.html": "",
    "tsconfig.json": "{}",
    "vite.config.ts": `import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  plugins: [],\n})\n`,
    "src/main.tsx": `import App from './App.tsx'\n\nrender(\n  <StrictMode>\n    <App />\n  </StrictMode>,\n)\n`,
  };

  test("gets a server, the proxy to it, and sign-in on its page", async () => {
    const folder = createProject(files);
    const { stdout } = await init(folder);
    expect(stdout).toContain("open http://localhost:5173/ and sign in");
    const after = readFiles(folder);
    expect(after["server.ts"]).toContain("app.listen(3000)");
    expect(after["package.json"]).toContain(
      String.raw`latchkey provider --with \"node --watch server.ts\" -- vite"`,
    );
    expect(after["vite.config.ts"]).toContain("'/_auth': { target: 'http://localhost:3000' }");
    expect(after["src/main.tsx"]).toMatch(
      /styles\.css'\n[^]*\n {6}<App \/>\n {4}<\/SignInProvider>\n/,
    );
    expect((await init(folder)).exitCode).toBe(0);
    expect(readFiles(folder)).toEqual(after);
  });

  test("listens at the address of --base-url, and its server beside it", async () => {
    const folder = createProject(files);
    const { stdout } = await init(folder, "--base-url", "http://localhost:3000");
    const after = readFiles(folder);
    expect(stdout).toContain("open http://localhost:3000/ and sign in");
    expect(after["vite.config.ts"]).toMatch(/port: 3000,[^]*'\/_auth': \{ target: '[^']*:3001' \}/);
    expect(after["server.ts"]).toContain("app.listen(3001)");
    expect(after[".env.local"]).toContain("LATCHKEY_BASE_URL=http://localhost:3000\n");
  });

  test("compiles its server with the files that run on Node", async () => {
    const config =
      '{\n  "compilerOptions": { "types": ["node"] },\n  "include": ["vite.config.ts"]\n}\n';
    const folder = createProject({ ...files, "tsconfig.node.json": config });
    await init(folder);
    expect(readFiles(folder)["tsconfig.node.json"]).toBe(
      config.replace('"vite.config.ts"', '"vite.config.ts", "server.ts"'),
    );
  });

  test("gets the types of its server", async () => {
    const untyped = files["package.json"].replace('"@types/express":"*",', "");
    const folder = createProject({ ...files, "package.json": untyped });
    expect((await latchkey(folder, ["init"])).stdout).toContain("npm install -D @types/express");
  });

  test("without a server is left as it is: one has to be installed", async () => {
    const alone = {
      ...files,
      "package.json": files["package.json"].replace(',"express":"*"', ""),
    };
    const folder = createProject(alone);
    expect((await init(folder)).stderr).toMatch(/^An app of Vite needs a server/);
    expect(readFiles(folder)).toEqual(alone);
  });

  test("with a page of another shape signs in at the login route", async () => {
    const folder = createProject({ ...files, "src/main.tsx": "render(<Router />)\n" });
    expect((await init(folder)).stdout).toContain("open http://localhost:5173/api/auth/login");
  });

  test("without React reads who is signed in by itself", async () => {
    const vue = files["package.json"].replace('"react"', '"vue"');
    const folder = createProject({ ...files, "package.json": vue, "src/main.tsx": "" });
    const { stdout } = await init(folder);
    expect(stdout).toContain("later   Read who is signed in from /api/auth/me: https://");
    expect(stdout).not.toContain("Show who is signed in");
  });
});
