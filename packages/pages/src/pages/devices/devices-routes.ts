import { type Device, isSameOrigin, Refusal } from "latchkey";

import { recognizeDevice, signedInResponse } from "../new-sign-in/new-sign-in-response.ts";
import type { PageApp, PageContext, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { devicesView, endAllView, endOthersView, lateUntil } from "./devices-data.ts";
import { devicesPage } from "./devices-screen.tsx";
import { endAllPage } from "./end-all-screen.tsx";
import { endOthersPage } from "./end-others-screen.tsx";
import {
  clearFlashMessage,
  type FlashFacts,
  readFlashMessage,
  setFlashMessage,
} from "./flash-cookie.ts";
import { flashAnchor } from "./flash-notice.tsx";
import { readPlace, placeQuery } from "./list/list-place.ts";

type Handler = (context: PageContext) => Response | Promise<Response>;

/**
 * Adds the pages of signed-in devices, and their forms. A form redirects to a page with its result;
 * all of it works without scripts.
 */
export function addDevicesPages(app: PageApp, deps: PageDeps): void {
  app.get("/devices", showDevices(deps));
  app.get("/devices/all", confirmEndAll(deps));
  app.get("/devices/others", confirmEndOthers(deps));
  app.post("/devices/all", ownForm(deps, "/devices/all", endAll(deps)));
  app.post("/devices/others", ownForm(deps, "/devices", endOthers(deps)));
  app.post("/devices/:id", ownForm(deps, "/devices", endOne(deps)));
  app.post("/devices/:id/known", ownForm(deps, "/devices", recognize(deps)));
  app.post("/devices/:id/unknown", ownForm(deps, "/devices", endOne(deps, { isUnknown: true })));
  app.post("/devices/:id/name", ownForm(deps, "/devices", rename(deps)));
  // After a sign-in that a form has required, the browser comes back by GET, to the list.
  for (const path of ["/devices/:id", "/devices/:id/:action{name|known|unknown}"]) {
    app.get(path, () => seeOther(deps, "/devices"));
  }
}

function showDevices(deps: PageDeps): Handler {
  const { rendering } = deps;
  return async (context) => {
    const auth = context.var.auth.require();
    const now = rendering.now();
    const flash = readFlashMessage(context);
    const [devices, activity] = await Promise.all([auth.devices(), auth.activity()]);
    const request = { ...readPlace(context.req.url), flash, activity, now };
    const view = devicesView(devices, auth.session, request);
    const page = devicesPage(view, auth.session);
    const response = await signedInResponse(deps, context, page, {
      devices: async () => devices,
      activity: async () => activity,
    });
    if (flash !== undefined) response.headers.append("Set-Cookie", clearFlashMessage(deps));
    return response;
  };
}

function confirmEndAll({ config, rendering }: PageDeps): Handler {
  return async (context) => {
    const auth = context.var.auth.require();
    const { idpLogout } = config;
    const view = endAllView(await auth.devices(), auth.session, {
      idpLogout,
      now: rendering.now(),
    });
    return pageResponse(context, endAllPage(view, auth.session), rendering);
  };
}

function confirmEndOthers(deps: PageDeps): Handler {
  return async (context) => {
    const auth = context.var.auth.require();
    const view = endOthersView(await auth.devices(), deps.rendering.now());
    if (view === null) return seeOther(deps, "/devices");
    return pageResponse(context, endOthersPage(view, auth.session), deps.rendering);
  };
}

/** A form of another site does nothing; it leads to the page with the form. */
function ownForm(deps: PageDeps, retreat: string, handle: Handler): Handler {
  const { config, warn } = deps;
  return (context) => {
    context.var.auth.require();
    if (isSameOrigin(context.req.raw, config.origin)) return handle(context);
    warn("A form of another site was refused.");
    return seeOther(deps, retreat);
  };
}

/** The answer "Yes" to the question about a new sign-in. */
function recognize(deps: PageDeps): Handler {
  return orFailed(deps, (context) => recognizeDevice(deps, context));
}

/** @param more - for the message about it */
function endOne(deps: PageDeps, more: Pick<FlashFacts, "isUnknown"> = {}): Handler {
  return orFailed(deps, async (context) => {
    const { auth } = context.var;
    const isShared = auth.session?.times.shared === true;
    const ended = (await auth.endDevice(context.req.param("id") ?? "")) ?? [];
    if (ended.some(({ isCurrent }) => isCurrent))
      return isShared ? toLogout(deps) : toSignedOut(deps);
    return backToList(deps, context, { ...endedFacts(ended, deps.rendering.now()), ...more });
  });
}

function endOthers(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const ended = (await context.var.auth.endDevices("others")) ?? [];
    return backToList(deps, context, endedFacts(ended, deps.rendering.now()));
  });
}

/** The message about devices that a form has ended. */
function endedFacts(ended: readonly Device[], now: number): FlashFacts {
  const [first] = ended;
  if (first === undefined) return { done: "gone" };
  const id = ended.length === 1 ? first.id : undefined;
  return { done: "ended", id, count: ended.length, ...lateUntil(ended, now) };
}

function rename(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const {
      req,
      env,
      var: { auth },
    } = context;
    try {
      const name = (await env.page.form()).get("name") ?? "";
      const device = await auth.renameDevice(req.param("id") ?? "", name);
      if (device === null) return backToList(deps, context, { done: "gone" });
      return backToList(deps, context, { done: "renamed", id: device.id });
    } catch (error) {
      if (error instanceof RangeError || isTooLarge(error))
        return backToList(deps, context, { done: "name-too-long" });
      throw error;
    }
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Refusal && error.reason === "body_too_large";
}

/** If the store does not respond, nothing has changed, and the list says so. */
function orFailed(deps: PageDeps, handle: (context: PageContext) => Promise<Response>): Handler {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return backToList(deps, context, { done: "failed" });
    }
  };
}

function endAll(deps: PageDeps): Handler {
  return async ({ var: { auth } }) => {
    if ((await auth.endDevices("all")) === null) return seeOther(deps, "/devices");
    // Else the provider would sign the user in again without a question.
    return toLogout(deps);
  };
}

/** Redirects to the part of the list with the form. */
function backToList(
  deps: PageDeps,
  { req }: Pick<PageContext, "req">,
  message: FlashFacts,
): Response {
  const query = placeQuery(readPlace(req.url));
  const response = seeOther(deps, `/devices${query}#${flashAnchor}`);
  response.headers.append("Set-Cookie", setFlashMessage(deps, message));
  return response;
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut(deps: PageDeps): Response {
  const { baseURL, pagesPrefix } = deps.config;
  const location = `${baseURL}${pagesPrefix}/signed-out?provider=still`;
  return new Response(null, { status: 303, headers: { Location: location } });
}

function toLogout({ rendering }: PageDeps): Response {
  return new Response(null, { status: 303, headers: { Location: rendering.site.logoutURL } });
}

function seeOther({ config, rendering }: PageDeps, path: string): Response {
  const location = config.origin + rendering.site.root + path;
  return new Response(null, { status: 303, headers: { Location: location } });
}
