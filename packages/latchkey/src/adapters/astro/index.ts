import { anonymous } from "../../access/anonymous.ts";
import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import { commitPage, respond } from "../../host/respond.ts";
import { refuseCrossSiteForm } from "../../http/cross-site-form.ts";
import { asActionError } from "./action-error.ts";
import { navigationOf } from "./navigation.ts";
import {
  actionPattern,
  actionTarget,
  fallbackTarget,
  type RoutedContext,
} from "./rewritten-target.ts";

export { followSignIn } from "./client.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Astro declares its locals in this way
  namespace App {
    interface Locals {
      /** Who makes this request. `latchkey(auth)` sets it. */
      auth: RequestAuth;
    }
  }
}

/** What is used of a context of Astro. */
interface Context extends RoutedContext {
  readonly locals: object;
  readonly isPrerendered: boolean;
  /** What its route rules and the page say to a cache provider, which stands before any middleware. */
  readonly cache?: { readonly enabled: boolean; set(options: false): void };
}

/** An `onRequest` of Astro, also one for `sequence`. */
export type Middleware = (context: Context, next: () => Promise<Response>) => Promise<Response>;

/** What the app tells of itself. */
export interface AstroOptions {
  /** Other origins whose forms the app takes. */
  readonly trustedOrigins?: readonly string[];
}

/**
 * Sign-in as the first `onRequest`: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to the app's response. Pages that the build renders are for everybody.
 *
 * An action is guarded by its own address, whatever page it is posted to.
 *
 * Astro refuses what a provider posts before any middleware. With `security: { checkOrigin: false }` it refuses
 * nothing, and this middleware refuses the forms of other sites for all addresses but ours.
 */
export function latchkey(auth: Auth, { trustedOrigins = [] }: AstroOptions = {}): Middleware {
  /** Astro renders its error page for the same request, and runs the middleware for it once more. */
  const failed = new WeakSet<Request>();
  return async (context, next) => {
    const { request, locals, isPrerendered } = context;
    if (isPrerendered) {
      Object.assign(locals, { auth: anonymous });
      return next();
    }
    const handle = async (passed: Request) => {
      const refused = refuseCrossSiteForm(passed, [auth.config.origin, ...trustedOrigins]);
      if (refused !== null) return refused;
      Object.assign(locals, { auth: auth.of(passed) });
      return next();
    };
    const asked = () => ({
      ...navigationOf(context, auth.config),
      rewrittenTarget: [...actionTarget(context), ...fallbackTarget(auth.config, context)],
    });
    const admitted = failed.has(request) ? auth.host.admittedOf(request) : undefined;
    if (admitted !== undefined) return commitPage(auth.host, admitted, await handle(request));
    try {
      const response = await respond(auth.host, request, handle, {
        request: asked,
        rendersPages: true,
      });
      if (context.cache?.enabled === true && isPrivate(response)) context.cache.set(false);
      return context.routePattern === actionPattern ? await asActionError(response) : response;
    } catch (error) {
      failed.add(request);
      throw error;
    }
  };
}

function isPrivate({ headers }: Response): boolean {
  return headers.get("cache-control")?.includes("no-store") === true;
}
