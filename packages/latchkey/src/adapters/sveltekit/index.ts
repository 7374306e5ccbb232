import { anonymous } from "../../access/anonymous.ts";
import type { RequestAuth } from "../../access/request-auth.ts";
import type { Auth } from "../../auth.ts";
import { isEventStream, respond } from "../../host/respond.ts";
import type { HostRequest } from "../../http/auth-request.ts";
import { refuseCrossSiteForm } from "../../http/cross-site-form.ts";
import { redirectAsJSON } from "../../http/response-parts.ts";
import type { MaybePromise } from "../../maybe-promise.ts";
import { abortOnSessionEnd } from "./live-query.ts";
import { remoteFormTarget, remoteNavigation } from "./remote-functions.ts";
import { reroutedTarget, type RoutedEvent } from "./rerouted-target.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- SvelteKit declares its locals in this way
  namespace App {
    interface Locals {
      /** Who makes this request. `latchkey(auth)` sets it. */
      auth: RequestAuth;
    }
  }
}

/** What is used of an event of SvelteKit. */
interface Event extends RoutedEvent {
  readonly request: Request;
  readonly locals: object;
  readonly isDataRequest: boolean;
}

/** A `handle` of SvelteKit, also one for `sequence`. */
export type Handle = <E extends Event>(given: {
  readonly event: E;
  readonly resolve: (event: E) => MaybePromise<Response>;
}) => Promise<Response>;

/** What the app tells of itself. */
export interface SvelteKitOptions {
  /** `building` of `$app/env`: pages that the build renders are for everybody, and no session is read for them. */
  readonly building?: boolean;
  /** Other origins whose forms the app takes. Here, since `csrf.trustedOrigins` must be `["*"]`. */
  readonly trustedOrigins?: readonly string[];
}

/**
 * Sign-in as the first `handle`: answers the auth routes, guards everything that is not public, and adds the
 * session's headers to the app's response.
 *
 * SvelteKit refuses what a provider posts before any `handle`. With `csrf: { trustedOrigins: ["*"] }` it refuses
 * nothing, and this `handle` refuses the forms of other sites for all addresses but ours.
 */
export function latchkey(auth: Auth, options: SvelteKitOptions = {}): Handle {
  const { building = false, trustedOrigins = [] } = options;
  return async ({ event, resolve }) => {
    const { request, locals } = event;
    if (building) {
      Object.assign(locals, { auth: anonymous });
      return resolve(event);
    }
    const handle = (passed: Request) => {
      const refused = refuseCrossSiteForm(passed, [auth.config.origin, ...trustedOrigins]);
      if (refused !== null) return refused;
      Object.assign(locals, { auth: auth.of(passed) });
      return resolve(event);
    };
    const isAsked = isOfClient(event);
    const response = await respond(auth.host, request, handle, {
      request: () => ({
        ...(isAsked && askedBy(event, auth.config.origin)),
        rewrittenTarget: [...reroutedTarget(auth.config, event), ...remoteFormTarget(event)],
      }),
      rendersPages: true,
      // Errors of a `load` and of a remote function come with status 200, one for each part of the page.
      errorMark: isAsked ? '"type":"error"' : undefined,
    });
    if (!isAsked) return response;
    const admitted = auth.host.admittedOf(request);
    if (admitted !== undefined && isEventStream(response))
      return abortOnSessionEnd(response, admitted);
    // The client follows this, and loads the document where the address is none of its pages.
    return redirectAsJSON(response, (location, status) => ({ type: "redirect", status, location }));
  };
}

/** SvelteKit's client asks for the data of a page or a remote function, or posts a form that `use:enhance` has taken over. */
function isOfClient({ isDataRequest, isRemoteRequest, request }: Event): boolean {
  const isAction =
    request.method === "POST" && request.headers.get("x-sveltekit-action") === "true";
  return isDataRequest || isRemoteRequest || isAction;
}

/** The `url` of a remote function is what the client says, and not to be trusted. */
function askedBy(event: Event, origin: string): Partial<HostRequest> {
  const { isDataRequest, isRemoteRequest, url } = event;
  if (isRemoteRequest) return { clientNavigation: remoteNavigation(event, origin) };
  const target = isDataRequest ? { target: url.href.slice(url.origin.length) } : {};
  return { ...target, clientNavigation: {} };
}
