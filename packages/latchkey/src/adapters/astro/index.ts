import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { commitPage, refuseForm, respond } from "../../host/respond.ts";
import {
  actionTarget,
  clientRequest,
  fallbackTarget,
  type RoutedContext,
  toActionError,
} from "./wire.ts";

export { latchkeyIntegration } from "./integration.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Astro declares its locals in this way
  namespace App {
    interface Locals {
      /** The session and user of this request, set by `latchkey(auth)`. */
      auth: RequestAuth;
    }
  }
}

/** The used part of a context of Astro. */
interface Context extends RoutedContext {
  readonly locals: object;
  readonly isPrerendered: boolean;
  /**
   * The cache provider, which stands before any middleware, as the route rules and the page set it.
   */
  readonly cache?: { readonly enabled: boolean; set(options: false): void };
}

/** An `onRequest` of Astro, also one for `sequence`. */
export type Middleware = (context: Context, next: () => Promise<Response>) => Promise<Response>;

/** Facts about the app. */
interface AstroOptions {
  /** Other origins whose forms the app accepts. */
  readonly trustedOrigins?: readonly string[];
}

/**
 * Sign-in as the first `onRequest`: answers the auth routes, guards everything else unless it is
 * public, and adds the session's headers to the app's response. The build renders pages signed out.
 *
 * An action is guarded by its own address, whatever page it is posted to.
 *
 * Astro rejects the form which a provider posts, before any middleware. {@link latchkeyIntegration}
 * turns its check off: this middleware rejects the forms of other sites for all addresses but its
 * own.
 */
export function latchkey(auth: Auth, { trustedOrigins = [] }: AstroOptions = {}): Middleware {
  /**
   * Astro renders its error page for the same request, and runs the middleware for it once more.
   */
  const failed = new WeakSet<Request>();
  return async (context, next) => {
    const { request, locals, isPrerendered } = context;
    if (isPrerendered) {
      Object.assign(locals, { auth: anonymous });
      return next();
    }
    const handle = async (passed: Request) => {
      const refused = refuseForm(auth, passed, trustedOrigins);
      if (refused !== null) return refused;
      Object.assign(locals, { auth: auth.of(passed) });
      return next();
    };
    const admitted = failed.has(request) ? auth.host.admittedOf(request) : undefined;
    if (admitted !== undefined) return commitPage(auth.host, admitted, await handle(request));
    try {
      const response = await respond(auth.host, request, handle, {
        request: (config) => ({
          ...clientRequest(context, config),
          otherTargets: [...actionTarget(context), ...fallbackTarget(config, context)],
        }),
        rendersPages: true,
      });
      if (context.cache?.enabled === true && isPrivate(response)) context.cache.set(false);
      return await toActionError(context, response);
    } catch (error) {
      failed.add(request);
      throw error;
    }
  };
}

function isPrivate({ headers }: Response): boolean {
  return headers.get("cache-control")?.includes("no-store") === true;
}
