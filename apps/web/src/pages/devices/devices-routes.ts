import type { Hono } from "hono";
import { type Device, type EndedDevices, isSameOrigin, Refusal, withHeaders } from "latchkey";

import type { PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { protect, type SignedInHandler } from "../protected-page.ts";
import { deviceName } from "./device-name.ts";
import { devicesView, endDevicesView, lateUntil, pageAsked } from "./devices-data.ts";
import { devicesPage } from "./devices-screen.tsx";
import type { FlashMessage } from "./devices-view.ts";
import { endDevicesPage } from "./end-devices-screen.tsx";
import { clearFlashMessage, readFlashMessage, setFlashMessage } from "./flash-cookie.ts";
import { flashAnchor } from "./flash-notice.tsx";

/**
 * Adds the pages that show where a person is signed in, and the forms on them. A form redirects
 * to a page that says what was done; all of it works without scripts.
 */
export function addDevicesPages(app: Hono, deps: PageDeps): void {
  app.get("/devices", protect(deps, showDevices(deps)));
  for (const which of ["others", "all"] as const) {
    app.get(`/devices/${which}`, protect(deps, askBeforeEnding(deps, which)));
  }
  app.post("/devices/others", protect(deps, ownForm(deps, "/devices/others", endOthers(deps))));
  app.post("/devices/all", protect(deps, ownForm(deps, "/devices/all", endAll(deps))));
  // Whoever had to sign in before the form was handled comes back by GET, and goes on at the list.
  app.get(
    "/devices/:id",
    protect(deps, () => seeOther(deps, "/devices")),
  );
  app.post("/devices/:id", protect(deps, ownForm(deps, "/devices", endOne(deps))));
}

function showDevices({ auth, rendering }: PageDeps): SignedInHandler {
  return async (request, session, context) => {
    const flash = readFlashMessage(context, rendering.now());
    const asked = { page: pageAsked(request.url), flash };
    const view = devicesView(await auth.devices(request), session, asked);
    const response = pageResponse(request, devicesPage(view, session), rendering);
    if (flash === undefined) return response;
    return withHeaders(response, [["Set-Cookie", clearFlashMessage(auth.config)]]);
  };
}

function askBeforeEnding(deps: PageDeps, which: "others" | "all"): SignedInHandler {
  const { auth, rendering } = deps;
  return async (request, session) => {
    const view = endDevicesView(which, await auth.devices(request), rendering.now());
    if (which === "others" && (view.count ?? 0) === 0) return seeOther(deps, "/devices");
    return pageResponse(request, endDevicesPage(view, session), rendering);
  };
}

/** A form that another site has sent does nothing; its person comes to the page where it can be meant. */
function ownForm(deps: PageDeps, retreat: string, handle: SignedInHandler): SignedInHandler {
  const { auth, logger } = deps;
  return (request, session, context) => {
    if (isSameOrigin(request, auth.config.origin)) return handle(request, session, context);
    logger.warn({ event: "refusal", route: "page", reason: "cross_site_form", status: 303 });
    return seeOther(deps, retreat);
  };
}

function endOne(deps: PageDeps): SignedInHandler {
  const { auth, rendering } = deps;
  return async (request, _session, context) => {
    try {
      const ended = await auth.endDevice(request, context.req.param("id") ?? "");
      const [device] = ended?.devices ?? [];
      if (ended === null || device === undefined) return backToList(deps, { done: "gone" });
      if (device.isCurrent) return toSignedOut(deps, ended);
      return backToList(deps, oneEnded(device, rendering.now()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return backToList(deps, { done: "failed" });
    }
  };
}

function oneEnded(device: Device, now: number): FlashMessage {
  return { done: "one", device: deviceName(device.userAgent), ...lateUntil([device], now) };
}

function endOthers(deps: PageDeps): SignedInHandler {
  const { auth, rendering } = deps;
  return async (request) => {
    const ended = await auth.endDevices(request, "others");
    const devices = ended?.devices ?? [];
    if (devices.length === 0) return backToList(deps, { done: "gone" });
    return backToList(deps, { done: "others", ...lateUntil(devices, rendering.now()) });
  };
}

function endAll(deps: PageDeps): SignedInHandler {
  return async (request) => {
    const ended = await deps.auth.endDevices(request, "all");
    return ended === null ? seeOther(deps, "/devices") : toSignedOut(deps, ended);
  };
}

function backToList(deps: PageDeps, message: FlashMessage): Response {
  const headers = [["Set-Cookie", setFlashMessage(deps.auth.config, message)]] as const;
  return withHeaders(seeOther(deps, `/devices#${flashAnchor}`), headers);
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut(deps: PageDeps, { headers }: EndedDevices): Response {
  const { pagesPrefix } = deps.auth.config;
  return withHeaders(seeOther(deps, `${pagesPrefix}/signed-out?provider=still`), headers);
}

function seeOther({ auth }: PageDeps, path: string): Response {
  return new Response(null, { status: 303, headers: { Location: auth.config.baseURL + path } });
}
