import { anonymous } from "../../host/anonymous.ts";
import type { RequestAuth } from "../../host/request-auth.ts";
import type { Auth } from "../../index.ts";
import { refuseForm, respond } from "../../host/respond.ts";
import type { MaybePromise } from "../../time/maybe-promise.ts";
import { abortOnSessionEnd, firstEventOf, isEventStream } from "./live-query.ts";
import { reroutedTarget, type RoutedEvent } from "./rerouted-target.ts";
import { clientRequest, errorMark, isOfClient, redirectClient, remoteFormTarget } from "./wire.ts";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- SvelteKit declares its locals in this way
  namespace App {
    interface Locals {
      /** The session and user of this request, set by `latchkey(auth)`. */
      auth: RequestAuth;
    }
  }
}

/** The used part of an event of SvelteKit. */
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

/** Facts about the app. */
interface SvelteKitOptions {
  /**
   * `building` of `$app/env`. The build renders pages for all users, so no session is read for
   * them.
   */
  readonly building?: boolean;
  /**
   * Other origins whose forms the app accepts, in place of `csrf.trustedOrigins`, which must be
   * `["*"]`.
   */
  readonly trustedOrigins?: readonly string[];
}

/**
 * Sign-in as the first `handle`: answers the auth routes, guards everything else unless it is
 * public, and adds the session's headers to the app's response.
 *
 * SvelteKit rejects the form which a provider posts, before any `handle`. Set
 * `csrf: { trustedOrigins: ["*"] }` to turn its check off: this `handle` rejects the forms of other
 * sites for all addresses but its own.
 */
export function latchkey(auth: Auth, options: SvelteKitOptions = {}): Handle {
  const { building = false, trustedOrigins = [] } = options;
  return async ({ event, resolve }) => {
    const { request, locals } = event;
    if (building) {
      Object.assign(locals, { auth: anonymous });
      return resolve(event);
    }
    const isClient = isOfClient(event);
    let firstEvent: string | null = null;
    const handle = async (passed: Request) => {
      const refused = refuseForm(auth, passed, trustedOrigins);
      if (refused !== null) return refused;
      Object.assign(locals, { auth: auth.of(passed) });
      const response = await resolve(event);
      // A live query runs until its first event after SvelteKit has returned the response.
      if (isClient) firstEvent = await firstEventOf(response);
      return response;
    };
    const carriesError = async (response: Response) =>
      isClient && (firstEvent ?? (await response.clone().text())).includes(errorMark);
    const response = await respond(auth.host, request, handle, {
      request: (config) => ({
        ...(isClient && clientRequest(event, config.origin)),
        otherTargets: [...reroutedTarget(config, event), ...remoteFormTarget(event)],
      }),
      rendersPages: true,
      carriesError,
    });
    if (!isClient) return response;
    const admitted = auth.host.admittedOf(request);
    return admitted !== undefined && isEventStream(response)
      ? abortOnSessionEnd(response, admitted)
      : redirectClient(response);
  };
}
