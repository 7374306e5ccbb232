import type { Config } from "../config/config.ts";
import type { Engine } from "../host/engine.ts";
import type { OpenedPart, Part } from "../host/part.ts";
import { html } from "../http/response-parts.ts";
import { absolute, appPath, loginURL } from "../config/addresses.ts";
import { parseTarget } from "../http/request-target.ts";
import { createRecentSignIns } from "./recent-sign-ins.ts";
import { followRequest } from "./follow-request.ts";
import { isFromThisMachine, isOnThisMachine } from "./is-from-this-machine.ts";
import { inspectorPage } from "./page/inspector-page.ts";
import { pageHeaders } from "./page/page-headers.ts";
import { isRead } from "../http/fetch-metadata.ts";

/**
 * Shows developers the recent sign-ins: pass it to `createAuth` as `inspector`.
 * `authFromEnvironment` does so by itself. In development, `/api/auth/inspector` then shows the
 * last 20 sign-ins of this process step by step, to browsers on the same machine.
 */
export const inspector: Part<"inspector"> = {
  name: "inspector",
  written: { place: "inspector", call: "createAuth()", options: {}, forms: {} },
  open: (engine) => (isDevelopment(engine.config) ? openInspector(engine) : {}),
};

function isDevelopment({ production, baseURL }: Config): boolean {
  return !production && isOnThisMachine(baseURL);
}

function openInspector({ config: primary, secrets }: Engine): OpenedPart {
  const signIns = createRecentSignIns();
  return {
    sentence: ` Sign-ins step by step: ${urlOf(primary)}`,
    routes({ config }, request, { path }) {
      const isPage = appPath(config, path) === pathOf(config) && isRead(request);
      if (!isPage || !isFromThisMachine(request)) return null;
      const frame = { appName: config.appName, signInURL: loginURL(config) };
      return html(inspectorPage(signIns.list(), frame), 200, pageHeaders);
    },
    around: (receive) => (context, request, outer) => {
      const { config } = context;
      const path = appPath(config, parseTarget(request.target)?.path ?? "");
      const recorder = { signIns, inspectorURL: urlOf(config), secrets };
      return followRequest(recorder, { request, context, path }, (seen, watched) =>
        receive(watched, seen, outer),
      );
    },
  };
}

function urlOf(config: Config): string {
  return absolute(config, pathOf(config));
}

function pathOf({ routes }: Config): string {
  return `${routes.prefix}/inspector`;
}
