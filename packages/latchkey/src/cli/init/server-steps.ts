import { UsageError } from "../command.ts";
import { afterBracket, endOfImports, insert, inStyleOf } from "./edit/insert.ts";
import { maskCode } from "./edit/mask-code.ts";
import type { Project } from "./project.ts";
import { alreadyThere, changeFile, createFile, type Step } from "./step.ts";
import { runsVite } from "./vite-steps.ts";

/** How an app of a server framework is created, and how sign-in is mounted. */
export interface ServerShape {
  /** e.g. `express`. */
  readonly entry: string;
  /** The expression that creates the app, up to its bracket. */
  readonly creation: RegExp;
  /** e.g. `use`. */
  readonly method: string;
  /** Packages with its types. */
  readonly types?: readonly string[];
  /** The server of an empty project. */
  readonly template: string;
  /** The same if Vite serves the pages in development. */
  readonly behindVite?: string;
}

const folders = ["src/", "", "server/"];
const names = ["index", "server", "main", "app"];
const endings = [".ts", ".mts", ".js", ".mjs"];
const common = folders.flatMap((folder) =>
  names.flatMap((name) => endings.map((ending) => `${folder}${name}${ending}`)),
);

/** Returns the files that may create the app: those of the scripts first, then the usual ones. */
function candidates({ manifest, has }: Project): readonly string[] {
  const { dev = "", start = "" } = manifest.scripts;
  const named = [...`${dev} ${start} ${manifest.main}`.matchAll(/[\w@./-]+\.[cm]?[jt]s\b/g)];
  const paths = named.map(([path]) => path.replace(/^\.\//, ""));
  return [...new Set([...paths, ...common])].filter((path) => has(path));
}

/** Returns the file that creates the app, or `null`. */
export function entryOf(project: Project, { creation }: ServerShape): string | null {
  const found = candidates(project).find((path) =>
    creation.test(maskCode(project.read(path) ?? "")),
  );
  return found ?? null;
}

/** Returns the name of the server file for an empty project. */
export function newServerFile({ isTypeScript, isModule }: Project): string {
  if (!isModule) return isTypeScript ? "server.mts" : "server.mjs";
  return isTypeScript ? "server.ts" : "server.js";
}

/** A server of the templates, which listen at 3000, at another port. */
export function atPort(template: string, port: number): string {
  return template.replaceAll("3000", `${port}`);
}

/**
 * Mounts sign-in in the file that creates the app, or creates a server if there is no code.
 *
 * @param port - of a server that is created
 */
export function serverSteps(project: Project, shape: ServerShape, port: number): readonly Step[] {
  const entry = entryOf(project, shape);
  if (entry !== null) return [mount(project, shape, entry)];
  const own = newServerFile(project);
  const server = atPort(
    runsVite(project) ? (shape.behindVite ?? shape.template) : shape.template,
    port,
  );
  if (runsVite(project)) return [createFile(project, own, server)];
  const [other] = candidates(project).filter((path) => path !== own);
  if (other === undefined) return [createFile(project, own, server)];
  return [
    {
      kind: "blocked",
      path: other,
      reason: "does not create the app, as far as init sees",
      lines: linesFor(shape, "app"),
    },
  ];
}

function mount(project: Project, shape: ServerShape, path: string): Step {
  const before = project.read(path) ?? "";
  if (before.includes(`latchkey/${shape.entry}`))
    return { kind: "skip", path, reason: alreadyThere };
  const masked = maskCode(before);
  if (!isModuleFile(project, path, masked)) {
    throw new UsageError(
      `${path} is CommonJS, which init does not change: https://latchkey-auth.github.io/latchkey/options shows how such an app loads Latchkey, and "npm pkg set type=module" makes it ES modules.`,
    );
  }
  const pattern = new RegExp(
    String.raw`^(?:export\s+)?(?:const|let|var)\s+([\w$]+)(?:\s*:[^=\n]+)?\s*=\s*(?:await\s+)?(?:${shape.creation.source})`,
    "gm",
  );
  const found = [...masked.matchAll(pattern)];
  const [only] = found;
  const end = only === undefined ? -1 : statementEnd(masked, only.index + only[0].length - 1);
  if (only === undefined || found.length > 1 || end < 0) {
    const reason = "creates the app in a way that init does not change";
    return { kind: "blocked", path, reason, lines: linesFor(shape, "app") };
  }
  const taken = new RegExp(String.raw`\b(?:auth|latchkey)\b`).test(masked);
  if (taken) {
    const reason = "uses the name auth or latchkey already";
    return { kind: "blocked", path, reason, lines: linesFor(shape, only[1] ?? "app") };
  }
  return changeFile(path, before, (text) => {
    const shift = before.length - text.length;
    return withMiddleware(text, shape, {
      name: only[1] ?? "app",
      start: only.index - shift,
      end: end - shift,
    });
  });
}

interface Place {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function withMiddleware(text: string, shape: ServerShape, { name, start, end }: Place): string {
  const style = (lines: string) => inStyleOf(text, lines);
  const [imports = "", auth = "", mounted = ""] = linesOf(shape, name);
  const afterImports = endOfImports(text);
  const gap = afterImports === 0 ? "\n" : "";
  return insert(text, [
    { offset: afterImports, text: style(imports) + gap },
    { offset: start, text: `${style(auth)}\n` },
    { offset: end, text: `\n${style(mounted)}`.replace(/\n$/, "") },
  ]);
}

function linesOf({ entry, method }: ServerShape, app: string): readonly string[] {
  return [
    `import { latchkey } from "latchkey/${entry}";\nimport { authFromEnvironment } from "latchkey/node";\n`,
    "const auth = authFromEnvironment();\nawait auth.ready();\n",
    `${app}.${method}(latchkey(auth));\n`,
  ];
}

function linesFor(shape: ServerShape, app: string): string {
  return linesOf(shape, app).join("\n");
}

/** The end of the statement whose bracket is at an offset; -1 if a call follows. */
function statementEnd(masked: string, open: number): number {
  const close = afterBracket(masked, open);
  const tail = /^[^\S\r\n]*;?(?=[^\S\r\n]*(?:\r?\n|$))/.exec(masked.slice(close));
  if (close < 0 || tail === null) return -1;
  const isChain = /^\s*\./.test(masked.slice(close + tail[0].length));
  return isChain ? -1 : close + tail[0].length;
}

function isModuleFile({ isModule }: Project, path: string, masked: string): boolean {
  if (/\.m[jt]s$/.test(path)) return true;
  if (/(?<![.\w])require\s*\(|\bmodule\.exports\b/.test(masked)) return false;
  return isModule;
}
