import { configFile, devPort } from "./dev-port.ts";
import { addOptions } from "./edit/add-option.ts";
import { endOfImports, insert, inStyleOf } from "./edit/insert.ts";
import { maskCode } from "./edit/mask-code.ts";
import type { Project } from "./project.ts";
import { alreadyThere, changeFile, firstOf, type Step } from "./step.ts";
import { reactImports, reactSignIn } from "./templates/react.ts";

/** Whether `npm run dev` serves the pages of the app with Vite, and nothing else does. */
export function runsVite({ manifest, has }: Project): boolean {
  return (
    /^(?:latchkey provider .*-- )?vite\b(?! build)/.test(manifest.scripts["dev"] ?? "") &&
    has("index.html")
  );
}

export function vitePort(project: Project): number {
  return devPort(project, { dev: "vite", config: "vite.config", port: 5173 });
}

function configOf(project: Project): string {
  return configFile(project, "vite.config") ?? "vite.config.js";
}

/** Serves the pages at the address that users open, and forwards our paths and the API. */
export function viteConfigStep(project: Project, port: number, serverPort: number): Step {
  const target = `{ target: "http://localhost:${serverPort}" }`;
  const lines = `server: {
  port: ${port},
  strictPort: true,
  proxy: { "/api": ${target}, "/_auth": ${target} },
},
`;
  const reason = "must forward /api and /_auth to the server";
  return addOptions(project, configOf(project), [
    { name: "server", lines, done: /["']\/_auth["']/, reason },
  ]);
}

/** `npm create vite` lists the files that run on Node by name: the server is another one. */
export function serverTypesStep(project: Project, file: string): readonly Step[] {
  const path = "tsconfig.node.json";
  const before = project.read(path);
  if (before === null || before.includes(`"${file}"`)) return [];
  const list = /("include"\s*:\s*\[\s*"vite\.config\.ts")/;
  return [changeFile(path, before, (text) => text.replace(list, `$1, "${file}"`))];
}

/** Whether `reactSteps` can show the sign-in on the page. */
export function showsSignIn(project: Project): boolean {
  return reactSteps(project).every(({ kind }) => kind === "change" || kind === "skip");
}

/** Wraps `<App />`, as `npm create vite` writes it, so the page shows who is signed in. */
export function reactSteps(project: Project): readonly Step[] {
  const guides = "https://latchkey-auth.github.io/latchkey/guides";
  const words = Object.hasOwn(project.manifest.dependencies, "react")
    ? `Show who is signed in: ${guides}/react`
    : `Read who is signed in from /api/auth/me: ${guides}/routes`;
  const later: Step = { kind: "note", text: words };
  const path = firstOf(project, "src/main", ["tsx", "jsx"]);
  const before = path === null ? null : project.read(path);
  if (path === null || before === null) return [later];
  if (before.includes("latchkey/react")) return [{ kind: "skip", path, reason: alreadyThere }];
  const [app, ...others] = [...maskCode(before).matchAll(/^([ \t]*)<App \/>(?=\r?$)/gm)];
  if (app === undefined || others.length > 0) return [later];
  const change = changeFile(path, before, (text) => {
    const [line, indent = ""] = app;
    const start = app.index - (before.length - text.length);
    const added = reactSignIn.replaceAll(/^(?=.)/gm, indent);
    return insert(text, [
      { offset: endOfImports(text), text: inStyleOf(text, reactImports) },
      { offset: start, text: `${added}  ` },
      { offset: start + line.length, text: `\n${indent}</SignInProvider>` },
    ]);
  });
  return [change];
}
