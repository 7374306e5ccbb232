import type { Config } from "../config/config.ts";
import type { Engine } from "../host/engine.ts";
import type { OpenedPart, Part } from "../host/part.ts";
import { html } from "../http/response-parts.ts";
import { absolute, appPath, loginURL } from "../request/addresses.ts";
import { parseTarget } from "../http/request-target.ts";
import { createRecentSignIns } from "./recent-sign-ins.ts";
import { followRequest } from "./follow-request.ts";
import { isFromThisMachine, isOnThisMachine } from "./is-from-this-machine.ts";
import { inspectorPage } from "./page/inspector-page.ts";
import { pageHeaders } from "./page/page-headers.ts";

/**
 * Shows developers the recent sign-ins: pass it to `createAuth` as `inspector`.
 * `authFromEnvironment` does so by itself. In development, `/api/auth/inspector` then shows the
 * last 20 sign-ins of this process step by step, to browsers on the same machine.
 */
export const inspector: Part<"inspector"> = {
  name: "inspector",
  written: { place: "inspector", call: "createAuth()", options: {}, forms: {} },
  open(site) {
    const { config } = site;
    return config.production || !isOnThisMachine(config.baseURL) ? {} : openInspector(site);
  },
};

function openInspector({ config, secrets }: Engine): OpenedPart {
  const signIns = createRecentSignIns();
  const inspectorURL = absolute(config, pathOf(config));
  const frame = { appName: config.appName, signInURL: loginURL(config) };
  const page = () => html(inspectorPage(signIns.list(), frame), 200, pageHeaders);
  return {
    sentence: ` Sign-ins step by step: ${inspectorURL}`,
    routes(_, request, { path }) {
      const isPage = appPath(config, path) === pathOf(config) && isRead(request.method);
      return isPage && isFromThisMachine(request) ? page() : null;
    },
    around: (receive) => (context, request, outer) => {
      const path = appPath(config, parseTarget(request.target)?.path ?? "");
      const recorder = { signIns, inspectorURL, secrets };
      return followRequest(recorder, { request, context, path }, (seen, watched) =>
        receive(watched, seen, outer),
      );
    },
  };
}

function pathOf({ routes }: Config): string {
  return `${routes.prefix}/inspector`;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
