import type { Config } from "latchkey";
import type { Logger } from "pino";

import { appProblem } from "./app-problems.ts";
import { problemPage } from "./problem-screen.tsx";
import type { RenderContext } from "../../rendering/render-context.ts";
import { renderPage } from "../../rendering/render.tsx";

/** What answers a request whose headers are beyond all measure. */
export interface OverflowAnswer {
  readonly html: string;
  readonly setCookies: readonly string[];
}

/** Chunks of 4096 bytes, well beyond what the server reads. */
const chunksAtMost = 40;

/**
 * Headers grow beyond all measure by cookies alone. The page says so and clears those of ours: otherwise the
 * browser would be locked out until somebody clears them by hand.
 */
export function cookieOverflow(
  config: Config,
  context: RenderContext,
  logger: Logger,
): () => OverflowAnswer {
  const setCookies = clearingCookies(config);
  const { baseURL, routes } = config;
  return () => {
    const addresses = { baseURL, loginPath: routes.login, now: context.now };
    const problem = appProblem("too-many-cookies", addresses);
    const { reason, status, reference } = problem;
    logger.warn({ event: "refusal", route: "page", reason, status, reference });
    return {
      html: renderPage(problemPage(problem), null, context),
      setCookies,
    };
  };
}

function clearingCookies({ session: { name, cookie }, transactionCookie }: Config): string[] {
  const chunks = Array.from({ length: chunksAtMost }, (_, index) => `${name}.${index}`);
  const attributes = [
    "Max-Age=0",
    `Path=${cookie.path}`,
    ...(cookie.domain === undefined ? [] : [`Domain=${cookie.domain}`]),
    ...(cookie.secure ? ["Secure"] : []),
  ].join("; ");
  return [name, ...chunks, transactionCookie.name].map((each) => `${each}=; ${attributes}`);
}
