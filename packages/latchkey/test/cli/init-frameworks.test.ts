import { describe, expect, test } from "vitest";

import { createProject, latchkey, manifest, readFiles } from "./project.ts";

const init = (folder: string) => latchkey(folder, ["init", "--yes"]);

const svelteConfig = (more: string) => `export default { plugins: [sveltekit()], ${more} };\n`;
const astroConfig = "export default defineConfig({ server: { host: true, port: 3335 } });\n";

test.each([
  ["next", "next dev -p 3001", {}, 3001],
  ["@tanstack/react-start", undefined, {}, 3000],
  ["@tanstack/react-start", "vite dev", {}, 5173],
  ["@sveltejs/kit", "vite dev", { "vite.config.ts": svelteConfig("server: { port: 3333 }") }, 3333],
  ["@sveltejs/kit", "vite dev", { "vite.config.js": svelteConfig("preview: { port: 8 }") }, 5173],
  ["nuxt", "nuxt dev", { "nuxt.config.ts": "({ devServer: { port: 3334 } })" }, 3334],
  ["astro", "astro dev --port 4000", { "astro.config.mjs": astroConfig }, 4000],
  ["astro", "astro dev", { "astro.config.mjs": astroConfig }, 3335],
])("the app of %s with the script %s and %j has the port %i", async (name, dev, files, port) => {
  const folder = createProject({
    "package.json": manifest([name], { scripts: { dev } }),
    ...files,
  });
  await init(folder);
  expect(readFiles(folder)[".env.local"]).toContain(`LATCHKEY_BASE_URL=http://localhost:${port}\n`);
});

test("Next.js 15 gets a middleware", async () => {
  const folder = createProject({
    "package.json": manifest(["next"]).replace('"next": "*"', '"next": "^15.5.0"'),
  });
  await init(folder);
  expect(readFiles(folder)["middleware.js"]).toContain('runtime: "nodejs"');
});

describe("React Router", () => {
  const files = {
    "package.json": manifest(["@react-router/dev", "react-router"]),
    "tsconfig.json": "{}",
    "app/root.tsx":
      'import { Outlet } from "react-router";\n\nimport type { Route } from "./+types/root";\nimport "./app.css";\n\nexport const links = () => [];\n\nexport default function App() {\n  return <Outlet />;\n}\n',
    "app/routes.ts":
      'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [index("routes/home.tsx")] satisfies RouteConfig;\n',
  };

  test("gets a middleware and the routes of sign-in", async () => {
    const folder = createProject(files);
    expect(await init(folder)).toMatchObject({ exitCode: 0 });
    const { "app/root.tsx": main, "app/routes.ts": routes } = readFiles(folder);
    expect(main).toContain(
      'import "./app.css";\nimport { authFromEnvironment } from "latchkey/node";\nimport { latchkey } from "latchkey/react-router";\n\nexport const middleware: Route.MiddlewareFunction[] = [latchkey(authFromEnvironment())];\n\nexport const links',
    );
    expect(routes).toBe(
      'import { type RouteConfig, index, route } from "@react-router/dev/routes";\n\nexport default [\n  route("api/auth/*", "routes/sign-in.ts", { id: "auth" }),\n  route("_auth/*", "routes/sign-in.ts", { id: "auth-pages" }),\n  index("routes/home.tsx")] satisfies RouteConfig;\n',
    );
  });

  test("of version 7 without its flag is left as it is", async () => {
    const old = files["package.json"].replace('"react-router": "*"', '"react-router": "^7.9.0"');
    const folder = createProject({ ...files, "package.json": old });
    expect((await init(folder)).stderr).toMatch(/react-router\.config\.ts[^]*v8_middleware/);
  });
});

describe("Astro", () => {
  async function configAfter(config: string): Promise<string | undefined> {
    const folder = createProject({
      "package.json": manifest(["astro"]),
      "astro.config.mjs": config,
    });
    await init(folder);
    return readFiles(folder)["astro.config.mjs"];
  }

  test("renders pages on request, which its guard needs, and gets the integration", async () => {
    const config = await configAfter(
      "// @ts-check\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
    );
    expect(config).toContain(`import { defineConfig } from 'astro/config';
import { latchkeyIntegration } from 'latchkey/astro';

export default defineConfig({
  output: 'server',
  integrations: [latchkeyIntegration()],
});
`);
    expect(await configAfter(config ?? "")).toBe(config);
  });

  test.each([
    ["integrations: []", "integrations: [latchkeyIntegration()]"],
    ["integrations: [react()]", "integrations: [latchkeyIntegration(), react()]"],
    [
      "integrations: [\n    react(),\n  ]",
      "integrations: [latchkeyIntegration(), \n    react(),\n  ]",
    ],
  ])("with %j gets the integration into its list", async (before, after) => {
    const start = 'import { defineConfig } from "astro/config";\n';
    const config = await configAfter(`${start}export default defineConfig({\n  ${before},\n});\n`);
    expect(config).toBe(
      `${start}import { latchkeyIntegration } from "latchkey/astro";\n` +
        `export default defineConfig({\n  output: "server",\n  ${after},\n});\n`,
    );
  });

  test("with integrations that are no list gets the lines to add", async () => {
    const folder = createProject({
      "package.json": manifest(["astro"]),
      "astro.config.mjs": "export default defineConfig({ integrations: own() });\n",
    });
    expect((await init(folder)).stderr).toMatch(
      /astro\.config\.mjs [^]*import \{ latchkeyIntegration[^]*\[latchkeyIntegration\(\)\]/,
    );
  });
});

describe("SvelteKit lets the posts of the provider through", () => {
  const sameCheck =
    "// Sign-in makes the same check, for all addresses but its own, to which the provider posts.";

  test("in vite.config", async () => {
    const folder = createProject({
      "package.json": manifest(["@sveltejs/kit"]),
      "vite.config.ts": `import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

export default defineConfig({
\tplugins: [sveltekit()]
});
`,
    });
    await init(folder);
    const { "vite.config.ts": config } = readFiles(folder);
    expect(config).toContain(`export default defineConfig({
\tplugins: [sveltekit({
\t\t${sameCheck}
\t\tcsrf: { trustedOrigins: ['*'] },
\t})]
});
`);
    await init(folder);
    expect(readFiles(folder)["vite.config.ts"]).toBe(config);
  });

  test.each([
    ["^2.60.0", "trustedOrigins: ['*']"],
    ["^2.16.0", "checkOrigin: false"],
  ])("of version %s in svelte.config", async (version, value) => {
    const folder = createProject({
      "package.json": manifest(["@sveltejs/kit"]).replace(
        '"@sveltejs/kit": "*"',
        `"@sveltejs/kit": "${version}"`,
      ),
      "svelte.config.js": `import adapter from '@sveltejs/adapter-auto';

/** @type {import('@sveltejs/kit').Config} */
const config = {
\tkit: {
\t\tadapter: adapter()
\t}
};

export default config;
`,
    });
    await init(folder);
    expect(readFiles(folder)["svelte.config.js"]).toContain(`\tkit: {
\t\t${sameCheck}
\t\tcsrf: { ${value} },
\t\tadapter: adapter()
`);
  });
});

test.each([
  ["next", "next dev", "next dev --port 4321"],
  ["@sveltejs/kit", "vite dev", "vite dev --port 4321"],
  ["nuxt", "nuxt dev --port 3000", "nuxt dev --port 3000"],
])("%s with the script %s listens at --base-url", async (name, dev, expected) => {
  const files = { "vite.config.ts": svelteConfig("") };
  const folder = createProject({
    "package.json": manifest([name], { scripts: { dev } }),
    ...files,
  });
  await latchkey(folder, ["init", "--yes", "--base-url", "http://localhost:4321"]);
  expect(readFiles(folder)["package.json"]).toContain(`latchkey provider -- ${expected}"`);
});

describe("an app with another library for sign-in", () => {
  test.each([
    ["@auth0/nextjs-auth0", "next", "guides/from-nextjs-auth0"],
    ["next-auth", "next", "moving/authjs"],
    ["better-auth", "next", "moving/better-auth"],
    ["express-openid-connect", "express", "moving/express-openid-connect"],
    ["@workos-inc/authkit-nextjs", "next", "moving/authkit"],
    ["keycloak-connect", "express", "moving/keycloak-connect"],
    ["passport", "express", "moving/passport"],
  ])("%s is named with the page for those who move", async (rival, framework, page) => {
    const text = manifest([framework, rival]).replace(`"${rival}": "*"`, `"${rival}": "3.5.0"`);
    const folder = createProject({ "package.json": text });
    const { exitCode, stdout } = await init(folder);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`latchkey/${page}\n`)]);
  });

  test("gets no advice to add a second auth", async () => {
    const files = {
      "package.json": manifest(["next", "next-auth"]),
      "auth.ts": "export const { handlers, auth } = NextAuth();\n",
    };
    const folder = createProject(files);
    const { exitCode, stdout, stderr } = await init(folder);
    expect([exitCode, stderr]).toEqual([
      2,
      "auth.ts has other code, and nothing has changed. Auth.js signs users in here. How to move from it: https://latchkey-auth.github.io/latchkey/moving/authjs\n",
    ]);
    expect(stdout + stderr).not.toContain("export const { auth");
    expect(readFiles(folder)).toEqual(files);
  });
});
