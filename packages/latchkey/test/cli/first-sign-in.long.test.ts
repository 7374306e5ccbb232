import { expect, test } from "vitest";

import { createBrowser } from "../browser/browser.ts";
import { freePort } from "../servers/free-port.ts";
import { expectFirstSignIn, startDev, untilAnswered, versions } from "./first-sign-in.ts";
import { createProject, install, latchkey, readFiles, writeFiles } from "./project.ts";

test.each([
  ["hono", ["hono", "@hono/node-server"]],
  ["fastify", ["fastify"]],
  ["koa", ["koa"]],
  ["h3", ["h3"]],
])(
  "npm run dev signs in with %s after init, by the printed words alone [FH-009]",
  (name, packages) => expectFirstSignIn(name, packages),
);

test("the app of create-hono is signed in to after init", async () => {
  const [port, providerPort] = [await freePort(), await freePort()];
  const folder = createProject({
    "package.json": JSON.stringify({
      type: "module",
      scripts: { dev: "node --watch src/index.ts" },
      dependencies: { ...versions, hono: "*", "@hono/node-server": "*" },
    }),
    "tsconfig.json": "{}",
    "src/index.ts": `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})

serve({
  fetch: app.fetch,
  port: ${port}
})
`,
  });
  install(folder, ["hono", "@hono/node-server"]);
  expect(await latchkey(folder, ["init", "--yes"])).toMatchObject({ exitCode: 0 });
  const settings = readFiles(folder)[".env.local"] ?? "";
  writeFiles(folder, { ".env.local": settings.replace(":4000", `:${providerPort}`) });
  startDev(folder);
  await untilAnswered(`http://localhost:${port}/`);
  const { text } = await createBrowser(`http://localhost:${port}`).signIn("/");
  expect(text).toBe("Hello Hono!");
});
