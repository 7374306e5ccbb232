import type { Config } from "../config/config.ts";
import type { Inspector } from "../host/inspector.ts";
import { parseTarget } from "../http/request-target.ts";
import { html, type ResponseParts } from "../http/response-parts.ts";
import { absolute, appPath, loginURL } from "../request/addresses.ts";
import { createRecentSignIns } from "./recent-sign-ins.ts";
import { followRequest } from "./follow-request.ts";
import { isFromThisMachine } from "./is-from-this-machine.ts";
import { inspectorPage } from "./page/inspector-page.ts";
import { pageHeaders } from "./page/page-headers.ts";

/**
 * Creates an inspector: pass this function to `createAuth` as `inspector`. `authFromEnvironment`
 * does so by itself. In development, `/api/auth/inspector` then shows the last 20 sign-ins of this
 * process step by step, to browsers on the same machine.
 */
export function inspector(): Inspector {
  const signIns = createRecentSignIns();
  return {
    address,
    async receive(request, context, receive) {
      const { config } = context;
      const path = appPath(config, parseTarget(request.target)?.path ?? "");
      if (path === pathOf(config) && isRead(request.method) && isFromThisMachine(request)) {
        return { response: page(config) };
      }
      return followRequest(
        { signIns, inspectorURL: address(config) },
        { request, context, path },
        receive,
      );
    },
  };

  function page(config: Config): ResponseParts {
    const { appName } = config;
    const frame = { appName, signInURL: loginURL(config) };
    return html(inspectorPage(signIns.list(), frame), 200, pageHeaders);
  }
}

function pathOf({ routes }: Config): string {
  return `${routes.prefix}/inspector`;
}

function address(config: Config): string {
  return absolute(config, pathOf(config));
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
