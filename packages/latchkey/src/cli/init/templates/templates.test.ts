import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import * as frameworks from "./frameworks.ts";
import * as react from "./react.ts";
import * as servers from "./servers.ts";

const root = path.join(import.meta.dirname, "../../../../../..");
const blocks = globSync(["README.md", "docs/guides/*.md"], { cwd: root })
  .map((name) => readFileSync(path.join(root, name), "utf8"))
  .join("\n");

test.each(
  Object.entries({ ...frameworks, ...react, ...servers }).filter(
    ([name]) => name !== "reactRouterImports",
  ),
)("the template %s is in a guide, whose code is compiled", (_, template) => {
  expect(blocks.includes(template)).toBe(true);
});

const publicStart = /\(process\.env, \{ publicPaths: \["\/"\] \}\)/g;

/**
 * Examples have a public start page, and name `auth` for it. Those with an account menu have the
 * pages that it leads to. The rest is as `init` writes it.
 */
function asTemplate(example: string): string {
  return example
    .replace('import { pages } from "@latchkey/pages";\n', "")
    .replace(/\{\s+(publicPaths: .+),\s+pages: .+,\s+\}/, "{ $1 }")
    .replaceAll(publicStart, "()")
    .replace('latchkey({ publicPaths: ["/"] })', "latchkey()");
}

/** The lines that are sign-in, however the result of `authFromEnvironment` gets there. */
function signInLines(code: string): readonly string[] {
  const named = code.replace(/^const auth = authFromEnvironment\(\);\n+/m, "");
  const inline = named === code ? code : named.replaceAll(/\(auth\b/g, "(authFromEnvironment()");
  return inline
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\( | \)|, \)/g, (match) => match.replaceAll(/[ ,]/g, ""))
    .split(/(?<=;)/)
    .map((statement) => statement.trim())
    .filter((statement) => /latchkey|authFromEnvironment\(|auth\.ready|proxy/.test(statement));
}

const filesOfExamples: readonly (readonly [file: string, template: string])[] = [
  ["next/auth.ts", frameworks.nextAuth],
  ["next/proxy.ts", frameworks.nextProxy],
  ["sveltekit/src/hooks.server.ts", frameworks.svelteKitHooks],
  ["nuxt/server/plugins/sign-in.ts", frameworks.nuxtPlugin],
  ["nuxt/shared/types/latchkey.d.ts", frameworks.nuxtTypes],
  ["nuxt/app/plugins/sign-in.client.ts", frameworks.nuxtClientPlugin],
  ["react-router/app/routes/sign-in.ts", frameworks.reactRouterSignIn],
  ["astro/src/middleware.ts", frameworks.astroMiddleware],
  ["nitro/server/plugins/sign-in.ts", frameworks.nitroPlugin],
  ["tanstack-start/src/start.ts", frameworks.tanStackStart],
];

test.each(filesOfExamples)("the example %s is what init writes [FH-081]", (file, template) => {
  const example = asTemplate(readFileSync(path.join(root, "examples", file), "utf8"));
  expect(signInLines(example)).toEqual(signInLines(template));
});

/** Servers have other pages than the template: imports, mount and order are the same. */
test.each([
  ["express", servers.expressServer],
  ["fastify", servers.fastifyServer],
  ["hono", servers.honoServer],
  ["koa", servers.koaServer],
  ["h3", servers.h3Server],
  ["node-http", servers.nodeServer],
])("the example %s has the head of the server that init writes [FH-081]", (name, template) => {
  const file = path.join(root, "examples", name, "server.ts");
  const head = (code: string) => {
    const lines = code.split("\n");
    const end = lines.findIndex((line) => /^const app|protect\(auth/.test(line));
    return lines.slice(0, end).map((line) => line.replace("H3, html, serve", "H3, serve"));
  };
  const example = head(asTemplate(readFileSync(file, "utf8")));
  expect(example.join("\n").trim()).not.toBe("");
  expect(example).toEqual(head(template));
});
