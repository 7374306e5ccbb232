import type { ServerResponse } from "node:http";

import type { Front } from "./doctor-world.ts";

/** Changes the head of a response before it leaves. Returns a status in its place, or nothing. */
export function changingHead(change: (response: ServerResponse) => number | void): Front {
  return (request, response, next) => {
    const writeHead = response.writeHead.bind(response);
    response.writeHead = (status: number, ...rest: unknown[]) => {
      const given = rest.find((each) => typeof each === "object" && each !== null) ?? {};
      const pairs = Array.isArray(given)
        ? Array.from({ length: given.length / 2 }, (_, at) => given.slice(2 * at, 2 * at + 2))
        : Object.entries(given);
      for (const [name, value] of pairs) response.appendHeader(String(name), value as string);
      return writeHead(change(response) ?? status);
    };
    next(request, response);
  };
}

/** Changes every `Set-Cookie` line; `null` takes it away. */
export const changingCookies = (change: (line: string) => string | null): Front =>
  changingHead((response) => {
    const lines = [response.getHeader("set-cookie") ?? []].flat().map(String);
    response.removeHeader("set-cookie");
    for (const line of lines.map(change)) {
      if (line !== null) response.appendHeader("set-cookie", line);
    }
  });

export const changingTarget =
  (change: (target: string) => string): Front =>
  (request, response, next) => {
    request.url = change(request.url ?? "/");
    next(request, response);
  };

/** Answers some requests itself with a page. */
export const answering =
  (isOwn: (target: string) => boolean, status = 200): Front =>
  (request, response, next) => {
    if (!isOwn(request.url ?? "/")) return next(request, response);
    response.writeHead(status, { "Content-Type": "text/html" }).end("<!doctype html>");
  };

/** Redirects every address without a final slash, as frameworks do, which route both. */
export const slashing =
  (to: (path: string, query: string) => string): Front =>
  (request, response, next) => {
    const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
    if (!pathname.endsWith("/")) {
      return void response.writeHead(308, { Location: to(pathname, search) }).end();
    }
    request.url = pathname.slice(0, -1) + search;
    return next(request, response);
  };

export const rewriting =
  (change: (text: string) => string): Front =>
  (request, response, next) => {
    const end = response.end.bind(response);
    response.end = ((text: string) => end(change(text))) as typeof response.end;
    next(request, response);
  };

/** Answers 429 after a number of requests. */
export function limiting(most: number): Front {
  let requests = 0;
  return (request, response, next) => {
    requests += 1;
    if (requests <= most) next(request, response);
    else response.writeHead(429).end();
  };
}
