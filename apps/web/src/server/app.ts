import { Hono, type Context } from "hono";
import { withHeaders, type Auth, type Session } from "latchkey";
import type { Logger } from "pino";

import type { LiveView } from "../screens/live-view.tsx";
import { accountView, nameOf, sampleOf } from "./account-view.ts";
import { appProblem, type AppFault } from "./app-problems.ts";
import type { StaticFile } from "./built-files.ts";
import { compressPage } from "./content-coding.ts";
import { homeView, signedOutView } from "./home-views.ts";
import { liveAnswer, plainAnswer, problemAnswer, wantsPage } from "./page-answer.ts";
import type { Press } from "./render.tsx";
import { staticAnswer } from "./static-answer.ts";

/** Everything that the app is composed of. */
export interface AppParts {
  readonly auth: Auth;
  readonly press: Press;
  readonly files: ReadonlyMap<string, StaticFile>;
  readonly logger: Logger;
  readonly isProviderDown: () => boolean;
  /** Adds what only some builds have: the gallery, in development. */
  readonly addMore?: (app: Hono) => void;
}

/** Answers one request. */
export type Handler = (request: Request) => Promise<Response>;

/** The app: the engine's routes first and by the shortest way, then its own pages. */
export function createHandler(parts: AppParts): Handler {
  const { auth } = parts;
  const app = createApp(parts);
  return async (request) => {
    const answering = auth.handle(request);
    if (answering === undefined) return app.fetch(request);
    const answer = await answering;
    return wantsPage(request) ? compressPage(request, answer) : answer;
  };
}

function createApp(parts: AppParts): Hono {
  const { auth, press, files } = parts;
  const { basePath, baseURL, pagesPrefix, organization } = auth.config;
  const app = new Hono({ getPath: ({ url }) => pathBelow(basePath, url) });

  app.get("/", async ({ req: { raw } }) => {
    const { session, ended, headers } = await auth.visit(raw);
    const page =
      session === null
        ? plainAnswer(press, raw, homeView(raw, ended, parts))
        : liveAnswer(press, raw, { screen: "welcome", name: nameOf(session) }, session);
    return withHeaders(await page, headers);
  });
  app.get(`${pagesPrefix}/signed-out`, async ({ req: { raw }, redirect }) => {
    const { state } = await auth.peek(raw);
    if (state === "signed-in") return redirect(`${baseURL}/`);
    const { provider, headers } = auth.signedOut(raw);
    const page = await plainAnswer(press, raw, signedOutView(provider, auth.config));
    return withHeaders(page, headers);
  });
  for (const [path, file] of files) app.get(path, ({ req: { raw } }) => staticAnswer(raw, file));

  parts.addMore?.(app);

  const livePage = (view: (session: Session, request: Request) => LiveView) =>
    protect(parts, (request, session) =>
      liveAnswer(press, request, view(session, request), session),
    );
  app.get(
    "/account",
    livePage((session) => ({
      screen: "account",
      view: accountView(session, press.now(), organization),
    })),
  );
  app.get(
    "/devices",
    livePage(({ times: { startedAt, endsAt } }) => ({
      screen: "devices",
      sign: { startedAt, endsAt },
    })),
  );
  app.get(
    "/sample",
    livePage((_session, { url }) => ({ screen: "sample", sample: sampleOf(url) })),
  );
  app.get(
    "/api/sample",
    protect(parts, (_request, { user }) =>
      Response.json({ message: "You can read this because you are signed in.", sub: user.sub }),
    ),
  );
  app.notFound(async ({ req: { raw } }) => {
    const guarded = await auth.guard(raw);
    if (!guarded.passed) return guarded.response;
    return withHeaders(await fault(parts, raw, "not-found"), guarded.visit?.headers ?? []);
  });
  app.onError((error, { req: { raw } }) => fault(parts, raw, "server-error", error));
  return app;
}

/** Lets signed-in people through, and puts the session's headers on the answer. */
function protect(
  parts: AppParts,
  answer: (request: Request, session: Session) => Response | Promise<Response>,
): (context: Context) => Promise<Response> {
  const { auth } = parts;
  return async ({ req: { raw } }) => {
    const guarded = await auth.guard(raw);
    if (!guarded.passed) return guarded.response;
    const { session, headers } = guarded.visit ?? (await auth.visit(raw));
    const answering = session === null ? fault(parts, raw, "sign-in-needed") : answer(raw, session);
    return withHeaders(await answering, headers);
  };
}

/** A problem of the app's own: the person and the log get the same reference. */
function fault(parts: AppParts, request: Request, kind: AppFault, error?: unknown) {
  const { auth, press, logger } = parts;
  const { baseURL, routes } = auth.config;
  const problem = appProblem(kind, { baseURL, loginPath: routes.login, now: press.now });
  const { reason, status, reference } = problem;
  const line = { event: "refusal", route: "page", reason, status, reference, err: error };
  if (status >= 500) logger.error(line);
  else logger.info(line);
  return problemAnswer(press, request, problem, { formPosted: request.method === "POST" });
}

/** The path as the app knows it: a proxy before us may or may not have taken the base path away. */
function pathBelow(basePath: string, url: string): string {
  const { pathname } = new URL(url);
  const isBelow = basePath !== "" && `${pathname}/`.startsWith(`${basePath}/`);
  return isBelow ? pathname.slice(basePath.length) || "/" : pathname;
}
