import { endConnection, endUser, type OfConnection, type Operator } from "../ends/end-user.ts";
import type { Identity } from "../config/identity.ts";
import type { RequestAuth } from "./request-auth.ts";
import type { Config } from "../config/config.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import type { Status } from "../telemetry/telemetry.ts";
import { ConfigError } from "../errors/config-error.ts";
import { statusOf } from "./create-context.ts";
import { createHost, type Host, type HostOptions, type ToRequest } from "./host.ts";
import { createOpener } from "./open-context.ts";
import { isProduction, type Options, type SeparatedOptions, separateOptions } from "./options.ts";
import { warmUp } from "../oidc/connections.ts";
import { respond } from "./respond.ts";
import { preferredBody } from "../http/accept.ts";
import type { HostRequest } from "../http/auth-request.ts";
import { noStoreHeaders } from "../http/headers.ts";
import { html, type ResponseParts, text } from "../http/response-parts.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";

export type { Options };

/** Sign-in for one app at one provider. */
export interface Auth {
  /**
   * The settings, checked and completed.
   *
   * @throws {ConfigError} with every fault
   */
  readonly config: Config;
  /**
   * Checks the settings and opens the store, so a server starts only if both are valid. Without
   * this call, the first request does both. The provider's metadata load in the background: a
   * provider outage does not prevent the start.
   *
   * @throws {ConfigError} with every fault
   */
  ready(): Promise<void>;
  /**
   * The middleware: responds on our routes, guards every path but the public ones, calls `next`,
   * and adds the session's headers to the response.
   *
   * @throws the errors of `next`, apart from those of `auth.of(request)`: those become our response
   */
  respond(request: Request, next: (request: Request) => MaybePromise<Response>): Promise<Response>;
  /**
   * Returns the session and user of a request, for its handler.
   *
   * @param request - passed by the middleware: a Web `Request`, or Node's `IncomingMessage`
   * @throws {TypeError} if it was not
   */
  of(request: object): RequestAuth;
  /**
   * For operators: ends all sessions of a user, in every browser. Later sign-ins are unaffected.
   * The log names the operator.
   *
   * @param user - `sub` as the provider names it; or an identity with its `id`, which ends the
   *   sessions at all clients of its issuer
   * @param of - the connection, once the app has several clients
   * @returns the number of sessions found; `null` for sessions in cookies, which end without being
   *   counted
   * @throws {TypeError} if the user, the operator or the connection is not named, or for an
   *   identity without the setting `identity`
   * @throws {ConfigError} without a store to remember the end
   * @throws {Refusal} `store_unavailable`
   */
  endUser(
    user: string | Pick<Identity, "id">,
    by: Operator,
    of?: OfConnection,
  ): Promise<number | null>;
  /**
   * For operators: ends all sessions of a connection, in every browser and at every instance. Later
   * sign-ins are unaffected. The log names the operator.
   *
   * @param id - of a connection beside `default`, also of one that is not there any more
   * @throws {TypeError} if the connection or the operator is not named
   * @throws {ConfigError} without a store to remember the end
   * @throws {Refusal} `store_unavailable`
   */
  endConnection(id: string, by: Operator): Promise<void>;
  /** The connections that `lookUp()` finds. */
  readonly connections: {
    /** Looks a connection up again at its next use. Nothing happens to one of the settings. */
    forget(id: string): void;
  };
  /** Returns the last known state of sign-in, store and provider, without a check. */
  status(): Promise<Status>;
  /** Returns the clock of session ends, in epoch seconds, for pages with session times. */
  now(): number;
  /**
   * Ends the streams of open pages, which reconnect by themselves: a server closes only without
   * streams.
   */
  endStreams(): void;
  /**
   * Ends background work, such as the revocation of tokens after logout, within two seconds. Then
   * closes the store if sign-in opened it itself.
   */
  close(): Promise<void>;
  /** For hosts: what adapters translate to and from. */
  readonly host: Host;
}

/**
 * Creates the sign-in of an app. Contacts no service, opens nothing and never throws, so a build
 * can import it. `ready()` or the first request checks the settings.
 */
export function createAuth(options: Options): Auth {
  const separated = separateOptions(options);
  const opener = createOpener(separated);
  const host = createHost({ open: opener.open, onFault: createFaultResponder(separated) });
  return {
    get config() {
      return opener.config();
    },
    async ready() {
      const { background, connections } = await opener.context();
      background.run("renewal", warmUp(connections));
    },
    respond: (request, next) => respond(host, request, next),
    of: (request) => host.authOf(request),
    endUser: async (user, by, of) => endUser(await opener.context(), user, by, of),
    endConnection: async (id, by) => endConnection(await opener.context(), id, by),
    connections: { forget: (id) => opener.ifOpen(({ connections }) => connections.forget(id)) },
    status: async () => statusOf(await opener.context()),
    now: () => Math.floor(opener.now() / 1000),
    endStreams: opener.endStreams,
    close: opener.close,
    host,
  };
}

/** While sign-in cannot be used the log says why, once; developers see it in the response too. */
function createFaultResponder({
  settings,
  ready,
  parts,
}: SeparatedOptions): HostOptions["onFault"] {
  let lastMessage = "";
  return async (error, toRequest) => {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== lastMessage) ready.log(faultEvent(error, message));
    lastMessage = message;
    if (isProduction(settings ?? {}) !== false) return notSetUp(undefined);
    const renderer = parts.find((part) => part.setup !== undefined);
    if (renderer?.setup === undefined || !(error instanceof ConfigError)) return notSetUp(message);
    const request = requestIfAny(toRequest);
    return request !== null && preferredBody(request, "text") === "html"
      ? html(await renderer.setup(error.faults, { ...settings }, request), 500, noStoreHeaders)
      : notSetUp(message);
  };
}

/** Some hosts cannot read a request without settings. */
function requestIfAny(toRequest: ToRequest): HostRequest | null {
  try {
    return toRequest("http://localhost", null);
  } catch {
    return null;
  }
}

/** For a fault of neither settings nor store, the event contains its origin. */
function faultEvent(error: unknown, message: string): LogEvent {
  return error instanceof ConfigError
    ? { event: "warning", message }
    : { event: "refusal", route: "guard", reason: "internal", status: 500, error };
}

/** Answers while sign-in cannot be used; the details are for developers only. */
function notSetUp(details: string | undefined): ResponseParts {
  const sentence = "Sign-in is not set up yet. The log says why.";
  const body = details === undefined ? sentence : `${sentence}\n\n${details}\n`;
  return text(body, 500, noStoreHeaders);
}
