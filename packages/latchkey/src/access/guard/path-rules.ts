import type { Config } from "../../config/config.ts";
import type { PathRule } from "../../config/path-rules.ts";
import { isUnder, pathInterpretations, type RequestTarget } from "../../http/request-target.ts";
import { appPath } from "../addresses.ts";

/**
 * The rules for a target. Where a router might read it as a path below that of a rule, the rule counts: routers
 * may ignore the case of letters and a slash at the end.
 */
export function pathRulesOver<Session>(
  config: Config,
  rules: readonly PathRule<Session>[],
  { path }: RequestTarget,
): readonly PathRule<Session>[] {
  if (rules.length === 0) return rules;
  const interpretations = pathInterpretations(path);
  // Nothing may be concluded from the path: then every rule counts.
  if (interpretations === null) return rules;
  const paths = interpretations
    .flatMap((each) => [each, appPath(config, each)])
    .map((each) => each.toLowerCase());
  return rules.filter((rule) => paths.some((each) => isUnder(rule.path, each)));
}
