import { type Device, isSameOrigin, Refusal } from "latchkey";

import type { PageApp, PageContext, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { deviceName } from "./device-name.ts";
import { devicesView, endDevicesView, filterAsked, lateUntil, pageAsked } from "./devices-data.ts";
import { devicesPage } from "./devices-screen.tsx";
import type { FlashMessage } from "./devices-view.ts";
import { endDevicesPage } from "./end-devices-screen.tsx";
import { clearFlashMessage, readFlashMessage, setFlashMessage } from "./flash-cookie.ts";
import { flashAnchor } from "./flash-notice.tsx";

type Handler = (context: PageContext) => Response | Promise<Response>;

/**
 * Adds the pages that show where a person is signed in, and the forms on them. A form redirects
 * to a page that says what was done; all of it works without scripts.
 */
export function addDevicesPages(app: PageApp, deps: PageDeps): void {
  app.get("/devices", showDevices(deps));
  app.get("/devices/others", askBeforeEnding(deps, "others"));
  app.get("/devices/all", askBeforeEnding(deps, "all"));
  app.post("/devices/others", ownForm(deps, "/devices/others", endOthers(deps)));
  app.post("/devices/all", ownForm(deps, "/devices/all", endAll(deps)));
  // Whoever had to sign in before the form was handled comes back by GET, and goes on at the list.
  app.get("/devices/:id", () => seeOther(deps, "/devices"));
  app.post("/devices/:id", ownForm(deps, "/devices", endOne(deps)));
}

function showDevices({ config, rendering }: PageDeps): Handler {
  return async (context) => {
    const auth = context.var.auth.require();
    const now = rendering.now();
    const flash = readFlashMessage(context, now);
    const { url } = context.req;
    const asked = { page: pageAsked(url), filter: filterAsked(url), flash, now };
    const view = devicesView(await auth.devices(), auth.session, asked);
    const response = pageResponse(context.req.raw, devicesPage(view, auth.session), rendering);
    if (flash !== undefined) response.headers.append("Set-Cookie", clearFlashMessage(config));
    return response;
  };
}

function askBeforeEnding(deps: PageDeps, which: "others" | "all"): Handler {
  const { rendering } = deps;
  return async (context) => {
    const auth = context.var.auth.require();
    const view = endDevicesView(which, await auth.devices(), rendering.now());
    if (which === "others" && (view.count ?? 0) === 0) return seeOther(deps, "/devices");
    return pageResponse(context.req.raw, endDevicesPage(view, auth.session), rendering);
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

function endOne(deps: PageDeps): Handler {
  return async (context) => {
    try {
      const ended = await context.var.auth.endDevice(context.req.param("id") ?? "");
      const [device] = ended ?? [];
      if (device === undefined) return backToList(deps, { done: "gone" });
      if (device.isCurrent) return toSignedOut(deps);
      return backToList(deps, oneEnded(device, deps.rendering.now()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return backToList(deps, { done: "failed" });
    }
  };
}

function oneEnded(device: Device, now: number): FlashMessage {
  return { done: "one", device: deviceName(device.userAgent), ...lateUntil([device], now) };
}

function endOthers(deps: PageDeps): Handler {
  return async (context) => {
    const devices = (await context.var.auth.endDevices("others")) ?? [];
    if (devices.length === 0) return backToList(deps, { done: "gone" });
    return backToList(deps, { done: "others", ...lateUntil(devices, deps.rendering.now()) });
  };
}

function endAll(deps: PageDeps): Handler {
  return async (context) => {
    const ended = await context.var.auth.endDevices("all");
    return ended === null ? seeOther(deps, "/devices") : toSignedOut(deps);
  };
}

function backToList(deps: PageDeps, message: FlashMessage): Response {
  const response = seeOther(deps, `/devices#${flashAnchor}`);
  response.headers.append("Set-Cookie", setFlashMessage(deps.config, message));
  return response;
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut(deps: PageDeps): Response {
  return seeOther(deps, `${deps.config.pagesPrefix}/signed-out?provider=still`);
}

function seeOther({ config }: PageDeps, path: string): Response {
  return new Response(null, { status: 303, headers: { Location: config.baseURL + path } });
}
