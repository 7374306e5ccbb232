import { execFileSync } from "node:child_process";
import path from "node:path";
import { build } from "vite";
import { expect, test } from "vitest";

import { inspectorPage } from "../../inspector/page/inspector-page.ts";
import { goodVariables } from "../../../test/settings.ts";

const file = path.join(import.meta.dirname, "auth-from-environment.ts");
/** Words of the page, which no bundler changes. */
const words = "The last 20 sign-ins of this process";

/** Everything that a bundler makes of an app with `authFromEnvironment`. */
async function bundled(mode: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
    ssr: { noExternal: true, resolve: { conditions: ["@latchkey/source", "node"] } },
    build: { ssr: file, write: false },
  });
  const outputs = [result].flat().flatMap((each) => ("output" in each ? each.output : []));
  return outputs.map((each) => ("code" in each ? each.code : "")).join("\n");
}

test("a bundle for production does not contain the inspector [FH-050]", async () => {
  expect(inspectorPage([], { appName: undefined, signInURL: "" })).toContain(words);
  expect(await bundled("production")).not.toContain(words);
});

const app = `
  import { registerHooks } from "node:module";

  const loaded = [];
  registerHooks({
    load(url, context, next) {
      if (url.includes("src/inspector/")) loaded.push(url);
      return next(url, context);
    },
  });
  const { authFromEnvironment } = await import(${JSON.stringify(file)});
  const auth = authFromEnvironment({ ...process.env, ...${JSON.stringify({ ...goodVariables, LATCHKEY_BASE_URL: "http://localhost:3000" })} }, { log() {} });
  const headers = { host: "localhost:3000" };
  const request = new Request("http://localhost:3000/api/auth/inspector", { headers });
  const { status } = await auth.respond(request, () => new Response());
  console.log(JSON.stringify({ status, isLoaded: loaded.length > 0 }));
`;

test.each([
  ["production", { status: 404, isLoaded: false }],
  ["development", { status: 200, isLoaded: true }],
])("with NODE_ENV=%s the route of the inspector is %o [FH-050]", (mode, shown) => {
  const output = execFileSync(
    process.execPath,
    ["--conditions=@latchkey/source", "--input-type=module", "-e", app],
    { env: { ...process.env, NODE_ENV: mode }, encoding: "utf8" },
  );
  expect(JSON.parse(output)).toEqual(shown);
});
