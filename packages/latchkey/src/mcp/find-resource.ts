import type { Config } from "../config/config.ts";
import type { HostRequest } from "../http/auth-request.ts";
import {
  foldCase,
  isUnder,
  parseTarget,
  pathInterpretations,
  type RequestTarget,
} from "../http/request-target.ts";
import { appPath } from "../config/addresses.ts";
import type { Resource } from "./resource.ts";

/** Servers read the path of a request differently, or nothing may be concluded from it. */
export type Found = Resource | "ambiguous" | null;

/** Returns the resource whose metadata a request is for. */
export function findMetadata(
  resources: readonly Resource[],
  { path }: RequestTarget,
): Resource | undefined {
  return resources.find(({ metadataPath }) => path === metadataPath || path === `${metadataPath}/`);
}

/**
 * Returns the MCP server that a request is for, by every interpretation of its path by a server
 * behind us; `null` if none reads it as one.
 */
export function findResource(
  resources: readonly Resource[],
  config: Config,
  { target, otherTargets = [] }: Pick<HostRequest, "target" | "otherTargets">,
): Found {
  const targets = [target, ...otherTargets].map((each) => pathsOf(config, each));
  if (targets.includes(null)) return "ambiguous";
  const paths = targets.flatMap((each) => each ?? []);
  const [one = null, another] = new Set(paths.map((path) => resourceAt(resources, path)));
  return another === undefined ? one : "ambiguous";
}

function pathsOf(config: Config, target: string): readonly string[] | null {
  const parsed = parseTarget(target);
  const interpretations = parsed && pathInterpretations(parsed.path);
  const basePath = foldCase(config.basePath);
  return interpretations?.map((path) => appPath({ basePath }, foldCase(path))) ?? null;
}

/** The longest path counts: `/mcp/admin` may be a server of its own. */
function resourceAt(resources: readonly Resource[], path: string): Resource | null {
  const found = resources.filter((each) => isUnder(foldCase(each.path), path));
  return found.toSorted((a, b) => b.path.length - a.path.length)[0] ?? null;
}
