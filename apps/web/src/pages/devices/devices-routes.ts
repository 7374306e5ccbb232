import { type Device, isSameOrigin, Refusal, type RequestAuth } from "latchkey";

import { formFields } from "../form-fields.ts";
import type { PageApp, PageContext, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { rememberAllDevices } from "../signed-out-devices.ts";
import { devicesView, endAllView } from "./devices-data.ts";
import { devicesPage } from "./devices-screen.tsx";
import { endAllPage } from "./end-all-screen.tsx";
import { undoSeconds } from "./ending-notice.tsx";
import {
  clearFlashMessage,
  type FlashFacts,
  readFlashMessage,
  setFlashMessage,
} from "./flash-cookie.ts";
import { flashAnchor } from "./flash-notice.tsx";
import { placeAsked, placeQuery } from "./list/list-place.ts";

type Handler = (context: PageContext) => Response | Promise<Response>;

/**
 * Adds the pages that show where a person is signed in, and the forms on them. A form redirects
 * to a page that says what was done; all of it works without scripts.
 */
export function addDevicesPages(app: PageApp, deps: PageDeps): void {
  app.get("/devices", showDevices(deps));
  app.get("/devices/all", askBeforeEndingAll(deps));
  app.post("/devices/all", ownForm(deps, "/devices/all", endAll(deps)));
  app.post("/devices/others", ownForm(deps, "/devices", endOthers(deps)));
  app.post("/devices/undo", ownForm(deps, "/devices", undo(deps)));
  app.post("/devices/:id", ownForm(deps, "/devices", endOne(deps)));
  app.post("/devices/:id/name", ownForm(deps, "/devices", rename(deps)));
  // Whoever had to sign in before a form was handled comes back by GET, and goes on at the list.
  for (const path of ["/devices/:id", "/devices/:id/name"]) {
    app.get(path, () => seeOther(deps, "/devices"));
  }
}

function showDevices({ config, rendering }: PageDeps): Handler {
  return async (context) => {
    const auth = context.var.auth.require();
    const now = rendering.now();
    const flash = readFlashMessage(context);
    const countdown = rendering.site.root + rendering.assets.endingModule;
    const [devices, activity] = await Promise.all([auth.devices(), auth.activity()]);
    const asked = { ...placeAsked(context.req.url), flash, countdown, activity, now };
    const view = devicesView(devices, auth.session, asked);
    const response = pageResponse(context.req.raw, devicesPage(view, auth.session), rendering);
    if (flash !== undefined) response.headers.append("Set-Cookie", clearFlashMessage(config));
    return response;
  };
}

function askBeforeEndingAll(deps: PageDeps): Handler {
  const { rendering } = deps;
  return async (context) => {
    const auth = context.var.auth.require();
    const view = endAllView(await auth.devices(), rendering.now());
    return pageResponse(context.req.raw, endAllPage(view, auth.session), rendering);
  };
}

/** A form that another site has sent does nothing; its person comes to the page where it can be meant. */
function ownForm(deps: PageDeps, retreat: string, handle: Handler): Handler {
  const { config, logger } = deps;
  return (context) => {
    context.var.auth.require();
    if (isSameOrigin(context.req.raw, config.origin)) return handle(context);
    logger.warn({ event: "refusal", route: "page", reason: "cross_site_form", status: 303 });
    return seeOther(deps, retreat);
  };
}

const soon = { afterSeconds: undoSeconds };

function endOne(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const { auth } = context.var;
    const id = context.req.param("id") ?? "";
    const [device] = (await auth.endDevice(id, soon)) ?? [];
    if (device?.isCurrent === true) return toSignedOut(deps);
    return device !== undefined || (await isEnding(auth, id))
      ? backToList(deps, context)
      : backToList(deps, context, { done: "gone" });
  });
}

/** A second click asks for what is under way. */
function isEnding(auth: RequestAuth, id: string): Promise<boolean> {
  return hasEnding(auth, (device) => device.id === id);
}

async function hasEnding(
  auth: RequestAuth,
  isMeant: (device: Device) => boolean,
): Promise<boolean> {
  const devices = (await auth.devices()) ?? [];
  return devices.some((device) => device.ending !== null && isMeant(device));
}

function endOthers(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const ended = (await context.var.auth.endDevices("others", soon)) ?? [];
    return backToList(deps, context, ended.length === 0 ? { done: "gone" } : undefined);
  });
}

function undo(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const ids = (await formFields(context.req.raw)).getAll("id");
    const kept = (await context.var.auth.undoEnds(ids.length === 0 ? undefined : ids)) ?? [];
    const [first] = kept;
    if (first === undefined) return backToList(deps, context, { done: "gone" });
    return backToList(deps, context, {
      done: "kept",
      id: kept.length === 1 ? first.id : undefined,
    });
  });
}

function rename(deps: PageDeps): Handler {
  return orFailed(deps, async (context) => {
    const {
      req,
      var: { auth },
    } = context;
    const name = (await formFields(req.raw)).get("name") ?? "";
    try {
      const device = await auth.renameDevice(req.param("id") ?? "", name);
      if (device === null) return backToList(deps, context, { done: "gone" });
      return backToList(deps, context, { done: "renamed", id: device.id });
    } catch (error) {
      if (error instanceof RangeError) return backToList(deps, context, { done: "name-too-long" });
      throw error;
    }
  });
}

/** A store that does not answer has changed nothing, and the list says so. */
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
    // A device that is about to be signed out from elsewhere signs out no other one.
    const isOnlyHere = await hasEnding(auth, (device) => device.isCurrent);
    if ((await auth.endDevices("all")) === null) return seeOther(deps, "/devices");
    const response = toSignedOut(deps);
    if (!isOnlyHere) response.headers.append("Set-Cookie", rememberAllDevices(deps.config));
    return response;
  };
}

/** To the part of the list where the form was sent. */
function backToList(deps: PageDeps, { req }: PageContext, message?: FlashFacts): Response {
  const query = placeQuery(placeAsked(req.url));
  const response = seeOther(deps, `/devices${query}#${flashAnchor}`);
  if (message !== undefined) {
    response.headers.append("Set-Cookie", setFlashMessage(deps.config, message));
  }
  return response;
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut(deps: PageDeps): Response {
  return seeOther(deps, `${deps.config.pagesPrefix}/signed-out?provider=still`);
}

function seeOther({ config }: PageDeps, path: string): Response {
  return new Response(null, { status: 303, headers: { Location: config.baseURL + path } });
}
