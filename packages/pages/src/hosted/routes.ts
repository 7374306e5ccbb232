import { Hono } from "hono/tiny";
import { type Config, type PageRequest, type PagesSite, Refusal, type RequestAuth } from "latchkey";
import type { LatchkeyEnvironment } from "latchkey/hono";

import { addAccountPages } from "../pages/account/account-route.ts";
import { addDevicesPages } from "../pages/devices/devices-routes.ts";
import type { PageDeps } from "../pages/page-deps.ts";
import { addStepUpPage } from "../pages/step-up/step-up-route.ts";
import type { RenderContext } from "../rendering/render-context.ts";

/** What pages respond, as values. */
interface PageResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
}

/** The headers that pages read. */
const readHeaders = [
  "accept",
  "accept-language",
  "content-type",
  "cookie",
  "origin",
  "sec-fetch-site",
];

/** The folder of built files, below the prefix of pages. */
export const filesPath = "/assets";

const ours = /^\/(?:account|devices|step-up)(?:\/|$)/;
const bodilessStatus = 204;

const pageHeaders = [
  ["Referrer-Policy", "same-origin"],
  ["X-Content-Type-Options", "nosniff"],
  ["X-Frame-Options", "DENY"],
] as const;

/** What pages need beside their own content. */
interface PageFiles {
  /** The modules of pages, by their path. */
  readonly modules: Readonly<Record<string, string>>;
  readonly policy: Promise<string>;
}

/**
 * Responds to requests for account, devices and built files below the prefix of pages; `null` for
 * any other path.
 */
export function createPageRoutes(
  { config, warn, now }: PagesSite,
  rendering: RenderContext,
  { modules, policy }: PageFiles,
): (page: PageRequest<RequestAuth>) => Promise<PageResponse> | null {
  const app = new Hono<LatchkeyEnvironment>();
  app.use(async (context, next) => {
    const { page } = context.env as { readonly page: PageRequest<RequestAuth> };
    context.set("auth", await page.auth());
    await next();
  });
  const deps: PageDeps = {
    config,
    rendering: { ...rendering, now },
    logger: {
      info: () => {},
      warn: () => warn("A form of another site was refused."),
      error: () => {},
    },
    isProviderDown: () => false,
  };
  addAccountPages(app, deps);
  addDevicesPages(app, deps);
  addStepUpPage(app, deps);
  app.notFound(() => {
    throw new Refusal("not_found");
  });
  app.onError((error) => {
    throw error;
  });
  async function respond(page: PageRequest<RequestAuth>): Promise<PageResponse> {
    const response = await app.fetch(await toRequest(page), { page });
    const headers = [...response.headers];
    const isPage = response.headers.get("content-type")?.startsWith("text/html") === true;
    return {
      status: response.status,
      headers: isPage
        ? [...headers, ["Content-Security-Policy", await policy], ...pageHeaders]
        : headers,
      body: response.status === bodilessStatus ? null : await response.text(),
    };
  }

  return (page) => {
    const { path } = page;
    const file = modules[path] ?? rendering.liveWords.fileAt(path);
    if (file !== undefined) return Promise.resolve(fileResponse(page, file));
    if (path.startsWith(`${filesPath}/`)) return Promise.resolve(fileOfNoRelease);
    if (path === "" || path === "/") return Promise.resolve(toAccount(config));
    if (!ours.test(path)) return null;
    // A web request cannot have every method of HTTP, such as TRACE.
    return methods.includes(page.method) ? respond(page) : Promise.resolve(methodNotAllowed);
  };
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

/** The request as a Web request for the path below the prefix. */
async function toRequest(page: PageRequest<RequestAuth>): Promise<Request> {
  const { method, headers, path } = page;
  const { origin, search } = new URL(page.url);
  const known = readHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const hasForm = method === "POST" && path.endsWith("/name");
  const body = hasForm ? await page.form() : null;
  return new Request(origin + path + search, { method, headers: known, body });
}
