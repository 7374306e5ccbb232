import { endUser, type Operator } from "./access/ends/end-user.ts";
import type { RequestAuth } from "./access/request-auth.ts";
import type { Config } from "./config/config.ts";
import type { LogEvent } from "./config/telemetry/log-event.ts";
import type { Status } from "./config/telemetry/telemetry.ts";
import { ConfigError } from "./errors/config-error.ts";
import { statusOf } from "./host/create-context.ts";
import { createHost, type Host } from "./host/host.ts";
import { createOpener } from "./host/open-context.ts";
import {
  isProduction,
  type Options,
  type SeparatedOptions,
  separateOptions,
} from "./host/options.ts";
import { respond } from "./host/respond.ts";
import { noStoreHeaders } from "./http/headers.ts";
import { type ResponseParts, text } from "./http/response-parts.ts";
import type { MaybePromise } from "./maybe-promise.ts";

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
   * Checks the settings and opens the store, so that a server starts only where both are good. Without it the
   * first request does. What the provider publishes is fetched meanwhile; nobody waits for that, and a provider
   * that is down does not keep a server from starting.
   *
   * @throws {ConfigError} with every fault
   */
  ready(): Promise<void>;
  /**
   * The middleware: answers our routes, guards everything that is not public, calls `next`, and puts the
   * session's headers on whatever comes back.
   *
   * @throws what `next` throws, unless `auth.of(request)` threw it: that becomes our response
   */
  respond(request: Request, next: (request: Request) => MaybePromise<Response>): Promise<Response>;
  /**
   * Who makes a request, for whatever handles it.
   *
   * @param request - what passed the middleware: a Web `Request`, or Node's `IncomingMessage`
   * @throws {TypeError} where it did not
   */
  of(request: object): RequestAuth;
  /**
   * For operators: ends all sessions of a person, in every browser; sign-ins that are started later go on. The log
   * names the operator.
   *
   * @param sub as the provider names the person
   * @returns how many sessions were found; `null` where they live in cookies: then none can be found, and all end
   * @throws {ConfigError} where there is no store to remember it
   * @throws {Refusal} `store_unavailable`
   */
  endUser(sub: string, by: Operator): Promise<number | null>;
  /** How sign-in, its store and its provider are, as far as they have shown; nobody is asked for it. */
  status(): Promise<Status>;
  /**
   * The time that counts, in epoch seconds: that of this server, or of provider and store where both agree that the clock of
   * this server is wrong. For pages that tell times of a session.
   */
  now(): number;
  /** Ends the streams to open pages, which come back by themselves: a server closes only when none is left. */
  endStreams(): void;
  /**
   * Ends what goes on in the background, such as the revocation of tokens after logout, within two seconds. Then
   * closes the store that sign-in has opened itself; one that was given opened stays open.
   */
  close(): Promise<void>;
  /** For hosts: what adapters translate to and from. */
  readonly host: Host;
}

/**
 * Makes the sign-in of an app. Calls nobody, opens nothing and never throws, so that a build can import it:
 * settings are checked by `ready()` or the first request.
 */
export function createAuth(options: Options): Auth {
  const separated = separateOptions(options);
  const opener = createOpener(separated);
  const onFault = logOnce(separated);
  const host = createHost({ open: opener.context, onFault });
  return {
    get config() {
      return opener.config();
    },
    async ready() {
      const { background, provider } = await opener.context();
      background.run("renewal", provider.warmUp());
    },
    respond: (request, next) => respond(host, request, next),
    of: (request) => host.authOf(request),
    endUser: async (sub, by) => endUser(await opener.context(), sub, by),
    status: async () => statusOf(await opener.context()),
    now: () => Math.floor(opener.now() / 1000),
    endStreams: opener.endStreams,
    close: opener.close,
    host,
  };
}

/** While sign-in cannot be used the log says why, once; developers see it in the response too. */
function logOnce({ settings, parts }: SeparatedOptions): (error: unknown) => ResponseParts {
  let lastMessage = "";
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    if (message !== lastMessage) parts.log(faultEvent(error, message));
    lastMessage = message;
    return notSetUp(isProduction(settings ?? {}) === false ? message : undefined);
  };
}

/** Of what is no fault of the settings or of the store, the log tells where it arose. */
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
