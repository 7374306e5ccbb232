import type { FastifyInstance } from "fastify";
import { type H3, toNodeHandler } from "h3";
import type Koa from "koa";
import type { RequestListener } from "node:http";

/** Plugins of Fastify are loaded before the first request. */
export function listenerOfFastify(app: FastifyInstance): RequestListener {
  const ready = app.ready();
  return (request, response) => void ready.then(() => app.routing(request, response));
}

export function listenerOfKoa(app: Koa): RequestListener {
  app.silent = true;
  const listener = app.callback();
  return (request, response) => void listener(request, response);
}

/**
 * `@hono/node-server` replaces classes of Node by its own; h3 does not recognize their instances.
 */
export function listenerOfH3(app: H3): RequestListener {
  Object.assign(globalThis, { Request: nativeClass(Request), Response: nativeClass(Response) });
  return toNodeHandler(app);
}

function nativeClass(current: object): object {
  const base = Object.getPrototypeOf(current) as object;
  return base === Function.prototype ? current : nativeClass(base);
}
