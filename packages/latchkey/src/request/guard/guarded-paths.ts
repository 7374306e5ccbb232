/** Which paths need a session, and which access rules apply to them. */
import { appPath } from "../../config/addresses.ts";
import { closes, type PathRule } from "../../config/access-rule.ts";
import type { Config } from "../../config/config.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import {
  foldCase,
  isUnder,
  isWithExtension,
  parseTarget,
  pathInterpretations,
  type RequestTarget,
} from "../../http/request-target.ts";
import type { SessionData } from "../../session/session.ts";

/** Access rules of paths. */
export type PathRules = readonly PathRule<SessionData>[];

/** `null` stands for a malformed target, which is never public and to which every rule applies. */
type Targets = readonly (RequestTarget | null)[];

/** What an app guards with. */
interface Guarding {
  readonly config: Config;
  readonly pathRules: PathRules;
}

/** What guards the path of a request. */
export interface Guard {
  readonly rules: PathRules;
  /** Whether the settings make the path public. */
  readonly isOpen: boolean;
  /** Whether the path needs a caller. */
  readonly isGuarded: boolean;
}

/** Returns what guards the path of a request, in every target that the app may read. */
export function guardOf(
  guarding: Guarding,
  { otherTargets = [] }: HostRequest,
  target: RequestTarget,
): Guard {
  const targets = [target, ...otherTargets.map(parseTarget)];
  const rules = rulesOver(guarding, targets);
  const isOpen = targets.every((each) => each !== null && isPublic(guarding.config, each));
  return { rules, isOpen, isGuarded: !isOpen || rules.some(closes) };
}

function rulesOver({ config, pathRules }: Guarding, targets: Targets): PathRules {
  if (pathRules.length === 0) return pathRules;
  return [...new Set(targets.flatMap((each) => rulesFor(config, pathRules, each)))];
}

/**
 * The rules for a target. If a router might read it as a path below a rule, the rule counts:
 * routers may ignore the case of letters, also in the base path, and a slash and an extension at
 * the end.
 */
function rulesFor(config: Config, rules: PathRules, target: Targets[number]): PathRules {
  const interpretations = target && pathInterpretations(target.path);
  // Nothing may be concluded from the path: then every rule counts.
  if (interpretations === null) return rules;
  const basePath = foldCase(config.basePath);
  const paths = interpretations
    .map(foldCase)
    .flatMap((each) => [each, appPath({ basePath }, each)]);
  return rules.filter(({ path: ruled }) =>
    paths.some((each) => isUnder(ruled, each) || isWithExtension(ruled, each)),
  );
}

/** The rules for paths below the prefix of pages, which count for the pages of sign-in. */
export function rulesOfPages({ basePath, pagesPrefix }: Config, rules: PathRules): PathRules {
  const prefix = foldCase(pagesPrefix);
  return rules.filter(({ path }) =>
    isUnder(prefix, appPath({ basePath: foldCase(basePath) }, path)),
  );
}

/**
 * Whether a target needs no sign-in: only if it is public in every interpretation of a server.
 * An absolute target is also read as a path, as naive servers do; no such path is public.
 */
export function isPublic(config: Config, target: RequestTarget): boolean {
  return everyInterpretation(config, target, (path) => isPublicPath(config, path));
}

/**
 * Whether every server reads a target as one of the API, as it is written: what follows may lift
 * the guard of this path only.
 */
export function isCertainlyAPI(config: Config, target: RequestTarget): boolean {
  return everyInterpretation(config, target, (path) =>
    config.apiPaths.some((apiPath) => isUnder(apiPath, path)),
  );
}

function everyInterpretation(
  config: Config,
  { path, authority }: RequestTarget,
  isOne: (path: string) => boolean,
): boolean {
  if (authority !== null) return false;
  return pathInterpretations(appPath(config, path))?.every(isOne) === true;
}

/**
 * Exempt are the auth routes, the pages for people, the framework's own files, and what the app
 * names.
 */
function isPublicPath({ routes, pagesPrefix, publicPaths }: Config, path: string): boolean {
  return (
    isUnder(routes.prefix, path) ||
    path === routes.login ||
    path === routes.callback ||
    isUnder(pagesPrefix, path) ||
    isUnder("/_next", path) ||
    path === "/favicon.ico" ||
    publicPaths.some((each) =>
      each.endsWith("/") && each !== "/" ? isUnder(each, path) : path === each,
    )
  );
}

/** Returns whether a server might read a target as one of the API, in letters of any case. */
export function isAPI(config: Config, { path }: RequestTarget): boolean {
  const basePath = foldCase(config.basePath);
  const interpretations = pathInterpretations(path) ?? [path];
  const paths = interpretations.map((each) => appPath({ basePath }, foldCase(each)));
  const apiPaths = config.apiPaths.map(foldCase);
  return paths.some((each) => apiPaths.some((apiPath) => isUnder(apiPath, each)));
}
