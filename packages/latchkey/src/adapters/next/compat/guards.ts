import type { IncomingMessage, ServerResponse } from "node:http";

import { type NextMiddleware, type NextRequest, NextResponse } from "next/server.js";

import { loginURL } from "../../../access/addresses.ts";
import { notAuthenticated } from "../../../access/guard/guard.ts";
import type { Auth } from "../../../auth.ts";
import { toResponse } from "../../../http/response-parts.ts";
import type { MaybePromise } from "../../../maybe-promise.ts";
import { write } from "../../node-http/node-response.ts";
import { redirectError } from "../current-request.ts";
import { isForRoutes } from "../next-request.ts";
import { createProxy } from "../proxy.ts";
import type { createRoute } from "../route.ts";
import type { AuthOfCaller } from "./auth-of-caller.ts";
import { isNode } from "./caller.ts";
import type { SessionFunctions } from "./session.ts";
import type {
  WithApiAuthRequired,
  WithMiddlewareAuthRequired,
  WithMiddlewareAuthRequiredOptions,
  WithPageAuthRequired,
} from "./types.ts";

type ReturnTo = NonNullable<WithMiddlewareAuthRequiredOptions["returnTo"]>;

/** The part of the context of `getServerSideProps` that is used. */
interface ServerSideContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly resolvedUrl: string;
}

/** Without a check: the types of `WithPageAuthRequired` and `WithApiAuthRequired` say what apps may pass. */
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
  readonly auth: Auth;
  readonly authOf: AuthOfCaller;
  readonly route: ReturnType<typeof createRoute>;
  readonly session: SessionFunctions;
}

export function createGuards(parts: GuardParts): Guards {
  const { auth, authOf, route } = parts;

  function withPageAuthRequired(
    pageOrOptions: Page | PageOptions = {},
    options: Parameters<typeof guardPage>[2] = {},
  ): unknown {
    return typeof pageOrOptions === "function"
      ? guardPage(parts, pageOrOptions, options)
      : guardProps(parts, pageOrOptions);
  }

  function withApiAuthRequired(handler: ApiHandler): unknown {
    const guarded = route<Request, unknown>(async (request, context) => {
      const { user } = await authOf([]);
      return user === null ? toResponse(notAuthenticated) : handler(request, context);
    });
    return async (request: unknown, second: ServerResponse) => {
      if (!isNode(request)) return guarded(request as Request, second);
      const { user } = await authOf([request, second]);
      return user === null ? write(notAuthenticated, second) : handler(request, second);
    };
  }

  function withMiddlewareAuthRequired(
    options: Parameters<WithMiddlewareAuthRequired>[0] = {},
  ): NextMiddleware {
    const given: WithMiddlewareAuthRequiredOptions =
      typeof options === "function" ? { middleware: options } : options;
    const { middleware, returnTo } = given;
    return async (request, event) => {
      // The handlers of the app answer these, with whatever was given to them.
      if (isForRoutes(request, auth.config)) return NextResponse.next();
      const response = await createProxy(auth, () => middleware?.(request, event))(request);
      if (returnTo !== undefined) await leadBackTo(auth, response, { request, returnTo });
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
  { auth, session }: GuardParts,
  page: Page,
  { returnTo }: { readonly returnTo?: string | ((given: unknown) => MaybePromise<string>) },
): Page {
  return async (given: unknown) => {
    if ((await session.getSession()) === null) {
      const back = typeof returnTo === "function" ? await returnTo(given) : returnTo;
      throw redirectError(loginURL(auth.config, { returnTo: back }));
    }
    return page(given);
  };
}

function guardProps(
  { auth, session }: GuardParts,
  { getServerSideProps, returnTo }: PageOptions,
): ServerSideProps {
  return async (context: ServerSideContext) => {
    const signedIn = await session.getSession(context.req, context.res);
    if (signedIn === null) {
      const destination = loginURL(auth.config, { returnTo: returnTo ?? context.resolvedUrl });
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

/** Where the guard leads to login, from there to the address that the app names. */
async function leadBackTo(
  { config }: Auth,
  response: Response,
  { request, returnTo }: { readonly request: NextRequest; readonly returnTo: ReturnTo },
): Promise<void> {
  const login = loginURL(config);
  if (response.headers.get("location")?.startsWith(`${login}?`) !== true) return;
  const back = typeof returnTo === "function" ? await returnTo(request) : returnTo;
  response.headers.set("location", loginURL(config, { returnTo: back }));
}
