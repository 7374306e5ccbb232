import { closes } from "../config/access-rule.ts";
import type { Context } from "../context.ts";
import { SignInRequired } from "../errors/access-errors.ts";
import { readForm } from "../http/form.ts";
import { isUnder, type RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import { appPath } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import { accessErrorOfSession, explainRules, firstStepUp } from "../principal/access-rules.ts";
import { type PathRules, rulesOfPages } from "../request/guard/guarded-paths.ts";
import { errorResponse } from "../routes/error-response.ts";
import { activeSession } from "../session/read-session.ts";
import { refuse } from "./refuse.ts";
import type { HostContext } from "./host-context.ts";
import { SessionAuth } from "./session-auth.ts";

interface PageCall {
  readonly exchange: Exchange;
  readonly target: RequestTarget;
  /** The access rules of the path. */
  readonly rules: PathRules;
  /** Whether the path needs no sign-in. */
  readonly isOpen: boolean;
}

/** Returns the response of a page below the root of pages, `null` for any other path. */
export function respondByPages(
  context: HostContext,
  { exchange, target, rules, isOpen }: PageCall,
): Promise<ResponseParts> | null {
  const { pages, config } = context;
  const { root = config.pagesPrefix } = pages;
  const path = appPath(config, target.path);
  if (pages.respond === undefined || !isUnder(root, path)) return null;
  const { request } = exchange;
  const ruled = isUnder(config.pagesPrefix, path)
    ? rulesOfPages(config, rules)
    : rules.filter((rule) => !isOpen || closes(rule));
  const responding = pages.respond({
    method: request.method,
    url: request.url,
    headers: request.headers,
    pageURL: request.pageURL,
    path: path.slice(root.length),
    form: () => readForm(request),
    async auth() {
      if (ruled.length > 0) await checkRules(context, exchange, ruled);
      // If the store fails, reading the session throws.
      else await exchange.read().catch(() => undefined);
      return new SessionAuth(context, exchange, () => undefined);
    },
  });
  return (
    responding?.catch(
      (error: unknown) =>
        refuse({ context, exchange, target, by: "app", others: [] }, error) ??
        errorResponse(context, exchange, "app", error),
    ) ?? null
  );
}

/**
 * @throws {SignInRequired} without a signed-in user
 * @throws {Forbidden} or {StepUpRequired} if a rule does not hold
 */
async function checkRules(context: Context, exchange: Exchange, rules: PathRules): Promise<void> {
  const stored = activeSession(await exchange.read());
  if (stored === null) {
    throw new SignInRequired(firstStepUp(explainRules(context, null, rules)));
  }
  const refusal = accessErrorOfSession(context, stored, rules);
  if (refusal !== null) throw refusal;
}
