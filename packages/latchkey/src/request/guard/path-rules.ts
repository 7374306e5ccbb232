import type { PathRule } from "../../config/access-rule.ts";
import type { Config } from "../../config/config.ts";
import {
  foldCase,
  isUnder,
  isWithExtension,
  pathInterpretations,
  type RequestTarget,
} from "../../http/request-target.ts";
import type { SessionData } from "../../session/session.ts";
import { appPath } from "../../config/addresses.ts";

type Rules = readonly PathRule<SessionData>[];

/**
 * The rules for a target. If a router might read it as a path below a rule, the rule counts:
 * routers may ignore the case of letters, also in the base path, and a slash and an extension at
 * the end.
 */
export function pathRulesOver(
  config: Config,
  rules: Rules,
  { path }: Pick<RequestTarget, "path">,
): Rules {
  if (rules.length === 0) return rules;
  const interpretations = pathInterpretations(path);
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
export function rulesOfPages({ basePath, pagesPrefix }: Config, rules: Rules): Rules {
  const prefix = foldCase(pagesPrefix);
  return rules.filter(({ path }) =>
    isUnder(prefix, appPath({ basePath: foldCase(basePath) }, path)),
  );
}
