import { Hono } from "hono/tiny";
import { type Config, type PageRequest, type PagesSite, Refusal, type RequestAuth } from "latchkey";

import { addAccountPages } from "../pages/account/account-route.ts";
import { addDevicesPages } from "../pages/devices/devices-routes.ts";
import { addHomePage } from "../pages/home/home-route.ts";
import type { PageApp } from "../pages/page-deps.ts";
import { htmlIn } from "../pages/page-response.ts";
import { addSamplePage } from "../pages/sample/sample-route.ts";
import { addStepUpPage, stepUpPath } from "../pages/step-up/step-up-route.ts";
import type { RenderContext } from "../rendering/render-context.ts";

/** What pages respond, as values. */
interface PageResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** The folder of built files, below the root of pages. */
export const filesPath = "/assets";

const accountPaths = /^\/(?:account|devices)(?:\/|$)/;
const standalonePaths = /^\/(?:$|(?:account|devices|sample)(?:\/|$))/;

const policyHeaders = [
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;

/** What the pages of all sites share. */
export interface SharedRoutes {
  /** The modules of pages, by their path. */
  readonly modules: Readonly<Record<string, string>>;
  readonly app: PageApp;
  /** Whether they are at the root of the app, with a home page, or below the prefix. */
  readonly isStandalone: boolean;
}

/**
 * Responds to requests for account, devices and built files below the root of pages; `null` for any
 * other path.
 */
export function createPageRoutes(
  { config, hasSeveralWays, labelOf, warn }: PagesSite,
  { rendering, policy }: { readonly rendering: RenderContext; readonly policy: Promise<string> },
  { modules, app, isStandalone }: SharedRoutes,
): (page: PageRequest<RequestAuth>) => Promise<PageResponse> | null {
  // A user who has one way to sign in is not shown its name.
  const ofSite = { ...rendering, labelOf: hasSeveralWays ? labelOf : undefined };
  const deps = { config, rendering: ofSite, warn };
  const pathOfStepUp = isStandalone ? config.pagesPrefix + stepUpPath : stepUpPath;
  const paths = isStandalone ? standalonePaths : accountPaths;

  async function respond(page: PageRequest<RequestAuth>): Promise<PageResponse> {
    const response = await app.fetch(toRequest(page, config.origin), { page, deps });
    const { status } = response;
    const headers = [...response.headers];
    const body = htmlIn(response);
    if (body === null) return { status, headers, body };
    const withPolicy = ["Content-Security-Policy", await policy] as const;
    return { status, headers: [...headers, withPolicy, ...policyHeaders], body };
  }

  return (page) => {
    const { path } = page;
    const file = modules[path] ?? rendering.liveWords.fileAt(path);
    if (file !== undefined) return Promise.resolve(fileResponse(page, file));
    if (!isStandalone) {
      if (path.startsWith(`${filesPath}/`)) return Promise.resolve(fileOfNoRelease);
      if (path === "" || path === "/") return Promise.resolve(toAccount(config));
    }
    if (path !== pathOfStepUp && !paths.test(path)) return null;
    // A web request cannot have every method of HTTP, such as TRACE.
    return methods.includes(page.method) ? respond(page) : Promise.resolve(methodNotAllowed);
  };
}

/**
 * The routes of pages, for all sites.
 *
 * @param standalone - for pages at the root of the app; `null` for pages below the prefix
 */
export function createPageApp(
  standalone: {
    /** Of the pages of the engine. */
    readonly prefix: string;
    readonly isProviderDown: () => boolean;
  } | null,
): PageApp {
  const app: PageApp = new Hono();
  app.use(async (context, next) => {
    context.set("auth", await context.env.page.auth());
    await next();
  });
  addAccountPages(app);
  addDevicesPages(app);
  addStepUpPage(app, standalone?.prefix);
  if (standalone !== null) {
    addHomePage(app, standalone.isProviderDown);
    addSamplePage(app);
  }
  app.notFound(({ var: { auth } }) => {
    // A visitor learns nothing about the paths of a whole app.
    if (standalone !== null) auth.require();
    throw new Refusal("not_found");
  });
  app.onError((error) => {
    throw error;
  });
  return app;
}

/** Otherwise an app could answer with a page in place of a script. */
const fileOfNoRelease: PageResponse = {
  status: 404,
  headers: [["Cache-Control", "no-store"]],
  body: null,
};

const methods = ["GET", "HEAD", "POST"];

const methodNotAllowed: PageResponse = {
  status: 405,
  headers: [
    ["Allow", methods.join(", ")],
    ["Cache-Control", "no-store"],
  ],
  body: null,
};

/** The name of a file changes with its content. */
function fileResponse({ method, path }: PageRequest<RequestAuth>, body: string): PageResponse {
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, headers: [["Allow", "GET, HEAD"]], body: null };
  const type = path.endsWith(".js") ? "text/javascript" : "application/json";
  return {
    status: 200,
    headers: [
      ["Content-Type", `${type}; charset=utf-8`],
      ["Cache-Control", "public, max-age=31536000, immutable"],
      ["X-Content-Type-Options", "nosniff"],
    ],
    body,
  };
}

/** Next takes absolute locations only. */
function toAccount({ baseURL, pagesPrefix }: Config): PageResponse {
  const location = `${baseURL}${pagesPrefix}/account`;
  return { status: 302, headers: [["Location", location]], body: null };
}

/**
 * The request for the path below the root of pages: as much of a Web request as Hono and the pages
 * read. A real one copies all headers.
 */
function toRequest(
  { method, headers, path, url }: PageRequest<RequestAuth>,
  origin: string,
): Request {
  const query = url.indexOf("?");
  const address = origin + path + (query === -1 ? "" : url.slice(query));
  return { method, headers, url: address } as Request;
}
