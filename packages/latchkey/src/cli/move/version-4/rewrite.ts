import { UsageError } from "../../command.ts";
import type { Project } from "../../init/project.ts";
import { type Draft } from "../draft.ts";
import { renameEnvironment } from "../environment-names.ts";
import { formerPackage } from "../former-imports.ts";
import { isMiddlewareFile } from "../middleware-file.ts";
import { textOf, walk } from "../syntax.ts";
import { nameFromVersion4 } from "../variables.ts";
import { addProvider, rewriteBrowser } from "./browser.ts";
import {
  type ClientFile,
  clientFileOf,
  rewriteAddresses,
  rewriteClientFile,
} from "./client-file.ts";
import { pathsOf } from "./public-paths.ts";
import { rewriteProxyFile } from "./proxy-file.ts";
import { rewriteServerCalls } from "./server-calls.ts";

const page = "moving/nextjs-auth0-4";
const dayMs = 86_400_000;
/** The longest session of version 4 has 3 days by default. */
const untilDays = 30;

/**
 * Rewrites an app with nextjs-auth0 4.
 *
 * @returns whether it needs `@latchkey/nextjs-auth0`, for the browser
 * @throws {UsageError} if no module exports the client
 */
export function rewriteVersion4(
  project: Project,
  drafts: readonly Draft[],
  { nextVersion, now }: { readonly nextVersion: number; readonly now: number },
): boolean {
  const client = drafts.map(clientFileOf).find((each) => each !== null);
  if (client === undefined) {
    throw new UsageError(
      `No module exports the Auth0Client by a name, as in "export const auth0 = new Auth0Client();". Move by hand: https://latchkey-auth.github.io/latchkey/${page}`,
    );
  }
  const source = project.has("src/app") || project.has("src/pages") ? "src/" : "";
  const { paths, unknown } = pathsOf(project.folder, source);
  const until = new Date(now + untilDays * dayMs).toISOString().slice(0, 10);
  for (const draft of drafts) {
    if (draft.path !== client.path) rewriteFile(draft, client, nextVersion);
    else {
      rewriteClientFile(draft, client, { publicPaths: paths, until });
      for (const each of unknown)
        draft.leave(
          client.statement,
          `${each} stands for any path, and needs a sign-in now`,
          `${page}#what-is-public`,
        );
    }
    listOthers(draft, client);
  }
  return rewriteBrowserParts(drafts);
}

function rewriteFile(draft: Draft, client: ClientFile, nextVersion: number): void {
  if (isMiddlewareFile(draft.path)) rewriteProxyFile(draft, client, nextVersion);
  else rewriteServerCalls(draft, client);
  rewriteAddresses(draft);
}

/** Variables and entry points without a counterpart. */
function listOthers(draft: Draft, client: ClientFile): void {
  for (const { name, node } of renameEnvironment(draft, nameFromVersion4)) {
    const isOption = draft.path === client.path;
    if (!isOption) draft.leave(node, `${name} has another name or value`, `${page}#settings`);
  }
  if (draft.path === client.path) return;
  walk(draft.program, (node, [parent]) => {
    const entry = textOf(node);
    const isBrowserPart = entry === formerPackage && parent?.type === "ImportDeclaration";
    if (entry?.startsWith(formerPackage) === true && !isBrowserPart)
      draft.leave(node, `${entry} has no counterpart`, `${page}#code`);
  });
}

/** In version 4 the hook works without a provider. */
function rewriteBrowserParts(drafts: readonly Draft[]): boolean {
  const used = drafts.flatMap((draft) => rewriteBrowser(draft));
  const needsProvider = used.some((name) => name === "useUser" || name === "withPageAuthRequired");
  if (!needsProvider || used.includes("Auth0Provider")) return used.length > 0;
  const roots = drafts.filter(({ path }) => /^(?:src\/)?(?:app\/layout|pages\/_app)\./.test(path));
  for (const root of roots) {
    if (!addProvider(root))
      root.leave(root.program, "needs UserProvider around its content", `${page}#code`);
  }
  return true;
}
