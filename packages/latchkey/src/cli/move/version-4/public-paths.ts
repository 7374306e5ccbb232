import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The paths of an app of Next.js, as far as they are known before a request. */
export interface FoundPaths {
  /** For `publicPaths`. */
  readonly paths: readonly string[];
  /** Folders whose path is not known: they cannot be public. */
  readonly unknown: readonly string[];
}

/** Returns every path of an app: nextjs-auth0 4 guards none by itself. */
export function pathsOf(folder: string, source: "" | "src/"): FoundPaths {
  const found = [
    ...inApp(folder, `${source}app`),
    ...inPages(folder, `${source}pages`),
    ...entriesOf(folder, "public").map(({ name, isFolder }) =>
      isFolder ? `/${name}/` : `/${name}`,
    ),
  ];
  return {
    paths: [...new Set(["/", ...found.filter((each) => each.startsWith("/"))])].toSorted(),
    unknown: found.filter((each) => !each.startsWith("/")),
  };
}

/** Folders in brackets stand for any name; those in parentheses or with `@` are in no path. */
function inApp(folder: string, below: string): readonly string[] {
  return entriesOf(folder, below).flatMap(({ name, isFolder }) => {
    if (!isFolder) return ofMetadataFile(name);
    if (/^[(@]/.test(name)) return inApp(folder, `${below}/${name}`);
    if (name.startsWith("_") || name === "auth") return [];
    return name.startsWith("[") ? [`${below}/${name}`] : [`/${name}`, `/${name}/`];
  });
}

/** Files that Next.js serves under a path of their own. */
function ofMetadataFile(name: string): readonly string[] {
  const [, bare = "", ending = ""] =
    /^(robots|sitemap|manifest|icon|apple-icon|opengraph-image)\.(\w+)$/.exec(name) ?? [];
  if (bare === "") return [];
  const made: Readonly<Record<string, string>> = {
    robots: "txt",
    sitemap: "xml",
    manifest: "webmanifest",
  };
  return [`/${bare}.${made[bare] ?? ending}`];
}

function inPages(folder: string, below: string): readonly string[] {
  return entriesOf(folder, below).flatMap(({ name, isFolder }) => {
    const bare = name.replace(/\.[jt]sx?$/, "");
    if (name.startsWith("_") || bare === "index") return [];
    if (name.startsWith("[")) return [`${below}/${name}`];
    return isFolder ? [`/${name}`, `/${name}/`] : [`/${bare}`];
  });
}

function entriesOf(folder: string, below: string) {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory(),
    }));
  } catch {
    return [];
  }
}
