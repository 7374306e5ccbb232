import { closes, type PathRule } from "../config/access-rule.ts";
import type { Config } from "../config/config.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { parseTarget, type RequestTarget } from "../http/request-target.ts";
import { isPublic } from "../request/guard/guard.ts";
import { pathRulesOver } from "../request/guard/path-rules.ts";
import type { SessionData } from "../session/session.ts";

type Rules = readonly PathRule<SessionData>[];
/** `null` stands for a malformed target, which is never public and to which every rule applies. */
type Targets = readonly (RequestTarget | null)[];

/** What an app guards with. */
interface Guarding {
  readonly config: Config;
  readonly pathRules: Rules;
}

/** What guards the path of a request. */
export interface Guard {
  readonly rules: Rules;
  /** Whether the settings make the path public. */
  readonly isPublicPath: boolean;
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
  const isPublicPath = targets.every((each) => each !== null && isPublic(guarding.config, each));
  return { rules, isPublicPath, isGuarded: !isPublicPath || rules.some(closes) };
}

function rulesOver({ config, pathRules }: Guarding, targets: Targets): Rules {
  if (pathRules.length === 0) return pathRules;
  const rules = targets.flatMap((each) =>
    each === null ? pathRules : pathRulesOver(config, pathRules, each),
  );
  return [...new Set(rules)];
}
