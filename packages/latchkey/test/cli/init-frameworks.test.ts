import { describe, expect, test } from "vitest";

import { createProject, latchkey, manifest, readFiles } from "./project.ts";

const init = (folder: string) => latchkey(folder, ["init", "--yes"]);

const astroConfig = "export default defineConfig({ server: { host: true, port: 3335 } });\n";

test.each([
  ["next", "next dev -p 3001", {}, 3001],
  ["@tanstack/react-start", undefined, {}, 3000],
  ["@tanstack/react-start", "vite dev", {}, 5173],
  ["@sveltejs/kit", "vite dev", { "vite.config.ts": "({ server: { port: 3333 } })" }, 3333],
  ["@sveltejs/kit", "vite dev", { "vite.config.js": "({ preview: { port: 8 } })" }, 5173],
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

test("Astro renders pages on request, which its guard needs", async () => {
  const folder = createProject({
    "package.json": manifest(["astro"]),
    "astro.config.mjs":
      "// @ts-check\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
  });
  await init(folder);
  expect(readFiles(folder)["astro.config.mjs"]).toContain(
    "defineConfig({\n  output: 'server',\n});\n",
  );
});
