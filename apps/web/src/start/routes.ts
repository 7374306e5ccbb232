import { Hono } from "hono";
import { type Auth, type Session, toResponse, withHeaders } from "latchkey";
import type { Logger } from "pino";

import type { LiveView } from "../rendering/live-view.tsx";
import { accountView, nameOf, sampleOf } from "../pages/account/account-data.ts";
import type { StaticFile } from "../serving/built-files.ts";
import { encodePage } from "../rendering/content-coding.ts";
import { addDevicesPages } from "../pages/devices/devices-routes.ts";
import type { DataRoutes } from "../serving/direct-answers.ts";
import { homeView, signedOutView } from "../pages/home/home-data.ts";
import { liveAnswer, plainAnswer } from "../pages/page-response.ts";
import { fault, protect } from "../pages/protected-page.ts";
import type { Press } from "../rendering/render.tsx";
import { staticAnswer } from "../serving/static-answer.ts";

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

/** The sample API. */
export const dataRoutes: DataRoutes = new Map([
  [
    "/api/sample",
    ({ user }) => ({
      message: "You can read this because you are signed in.",
      sub: user.sub,
    }),
  ],
]);

/** The app: the engine's routes first, then its own pages. */
export function createHandler(parts: AppParts): Handler {
  const { auth } = parts;
  const app = createApp(parts);
  return async (request) => {
    const answer = auth.answer(request);
    if (answer === undefined) return app.fetch(request);
    return toResponse(encodePage(request, await answer));
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
    return withHeaders(page, headers);
  });
  app.get(`${pagesPrefix}/signed-out`, async ({ req: { raw }, redirect }) => {
    const { state } = await auth.peek(raw);
    if (state === "signed-in") return redirect(`${baseURL}/`);
    const { provider, headers } = auth.signedOut(raw);
    const page = plainAnswer(press, raw, signedOutView(provider, auth.config));
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
  addDevicesPages(app, parts);
  app.get(
    "/sample",
    livePage((_session, { url }) => ({ screen: "sample", sample: sampleOf(url) })),
  );
  for (const [path, make] of dataRoutes) {
    app.get(
      path,
      protect(parts, (_request, session) => Response.json(make(session))),
    );
  }
  app.notFound(async ({ req: { raw } }) => {
    const guarded = await auth.guard(raw);
    if (!guarded.passed) return guarded.response;
    return withHeaders(fault(parts, raw, "not-found"), guarded.visit?.headers ?? []);
  });
  app.onError((error, { req: { raw } }) => fault(parts, raw, "server-error", error));
  return app;
}

/** The path as the app knows it: a proxy before us may or may not have taken the base path away. */
function pathBelow(basePath: string, url: string): string {
  const { pathname } = new URL(url);
  const isBelow = basePath !== "" && `${pathname}/`.startsWith(`${basePath}/`);
  return isBelow ? pathname.slice(basePath.length) || "/" : pathname;
}
