import type { IncomingMessage, ServerResponse } from "node:http";

import type { MaybePromise } from "latchkey";
import { type NextHost, redirectError } from "latchkey/next";
import { type NextMiddleware, type NextRequest, NextResponse } from "next/server.js";

import type { AuthOfCaller } from "./auth-of-caller.ts";
import { isNode } from "./caller.ts";
import { sendResponse } from "./send-response.ts";
import type { SessionFunctions } from "./session.ts";
import type {
  WithApiAuthRequired,
  WithMiddlewareAuthRequired,
  WithMiddlewareAuthRequiredOptions,
  WithPageAuthRequired,
} from "./types.ts";

type ReturnTo = NonNullable<WithMiddlewareAuthRequiredOptions["returnTo"]>;

/** The parts of the context of `getServerSideProps` in use. */
interface ServerSideContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly resolvedUrl: string;
}

/**
 * Unchecked: the types of `WithPageAuthRequired` and `WithApiAuthRequired` say what apps may pass.
 */
type Page = (given: unknown) => unknown;
type ServerSideProps = (context: ServerSideContext) => Promise<Result>;
type ApiHandler = (request: unknown, responseOrContext: unknown) => MaybePromise<Response>;

interface PageOptions {
  readonly getServerSideProps?: ServerSideProps;
  readonly returnTo?: string;
}

export interface Guards {
  readonly withPageAuthRequired: WithPageAuthRequired;
  readonly withApiAuthRequired: WithApiAuthRequired;
  readonly withMiddlewareAuthRequired: WithMiddlewareAuthRequired;
}

export interface GuardParts {
  readonly host: NextHost;
  readonly authOf: AuthOfCaller;
  readonly session: SessionFunctions;
}

export function createGuards(parts: GuardParts): Guards {
  const { host, authOf } = parts;

  function withPageAuthRequired(
    pageOrOptions: Page | PageOptions = {},
    options: Parameters<typeof guardPage>[2] = {},
  ): unknown {
    return typeof pageOrOptions === "function"
      ? guardPage(parts, pageOrOptions, options)
      : guardProps(parts, pageOrOptions);
  }

  function withApiAuthRequired(handler: ApiHandler): unknown {
    const guarded = host.route<Request, unknown>(async (request, context) => {
      const { user } = await authOf([]);
      return user === null ? notAuthenticated(host, request) : handler(request, context);
    });
    return async (request: unknown, second: ServerResponse) => {
      if (!isNode(request)) return guarded(request as Request, second);
      const { user } = await authOf([request, second]);
      return user === null
        ? sendResponse(await notAuthenticated(host, request), second)
        : handler(request, second);
    };
  }

  function withMiddlewareAuthRequired(
    options: Parameters<WithMiddlewareAuthRequired>[0] = {},
  ): NextMiddleware {
    const given: WithMiddlewareAuthRequiredOptions =
      typeof options === "function" ? { middleware: options } : options;
    const { middleware, returnTo } = given;
    return async (request, event) => {
      // The handlers of the app have options of their own, so they answer these.
      if (host.isForRoutes(request)) return NextResponse.next();
      const response = await host.protect(() => middleware?.(request, event))(request);
      if (returnTo !== undefined) await setReturnTo(host, response, { request, returnTo });
      // Apps set cookies of their own on what it returns.
      return new NextResponse(response.body, response);
    };
  }

  return {
    withPageAuthRequired: withPageAuthRequired as WithPageAuthRequired,
    withApiAuthRequired: withApiAuthRequired as WithApiAuthRequired,
    withMiddlewareAuthRequired,
  };
}

function guardPage(
  { host, session }: GuardParts,
  page: Page,
  { returnTo }: { readonly returnTo?: string | ((given: unknown) => MaybePromise<string>) },
): Page {
  return async (given: unknown) => {
    if ((await session.getSession()) === null) {
      const back = typeof returnTo === "function" ? await returnTo(given) : returnTo;
      throw redirectError(loginURL(await host.configOf(), back));
    }
    return page(given);
  };
}

function guardProps(
  { host, session }: GuardParts,
  { getServerSideProps, returnTo }: PageOptions,
): ServerSideProps {
  return async (context: ServerSideContext) => {
    const signedIn = await session.getSession(context.req, context.res);
    if (signedIn === null) {
      const config = await host.configOf(context.req);
      const destination = loginURL(config, returnTo ?? context.resolvedUrl);
      return { redirect: { destination, permanent: false } };
    }
    const { user } = signedIn;
    const result: Result = getServerSideProps ? await getServerSideProps(context) : { props: {} };
    const { props } = result;
    return props instanceof Promise
      ? { ...result, props: props.then((later: object) => ({ user, ...later })) }
      : { ...result, props: { user, ...props } };
  };
}

interface Result {
  readonly props?: object | Promise<object>;
  readonly redirect?: { readonly destination: string; readonly permanent: boolean };
}

/** Sets the return address of a redirect to login. */
async function setReturnTo(
  host: NextHost,
  response: Response,
  { request, returnTo }: { readonly request: NextRequest; readonly returnTo: ReturnTo },
): Promise<void> {
  const config = await host.configOf(request);
  if (response.headers.get("location")?.startsWith(`${loginURL(config)}?`) !== true) return;
  const back = typeof returnTo === "function" ? await returnTo(request) : returnTo;
  response.headers.set("location", loginURL(config, back));
}

function loginURL(config: NextHost["config"], returnTo?: string): string {
  const login = config.baseURL + config.routes.login;
  return returnTo === undefined ? login : `${login}?returnTo=${encodeURIComponent(returnTo)}`;
}

/** The response to an API request without a session (specification, section 8). */
async function notAuthenticated(
  host: NextHost,
  request: Request | IncomingMessage,
): Promise<Response> {
  const { baseURL } = await host.configOf(request);
  const description = "The user does not have an active session or is not authenticated";
  const headers = { "WWW-Authenticate": `Cookie realm="${baseURL}"` };
  return Response.json({ error: "not_authenticated", description }, { status: 401, headers });
}
