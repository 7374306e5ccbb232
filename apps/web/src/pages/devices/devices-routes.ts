import type { Hono } from "hono";
import { type Device, type EndedDevices, isSameOrigin, Refusal, withHeaders } from "latchkey";

import type { Said } from "./devices-view.ts";
import { saidPlace } from "./flash-notice.tsx";
import type { AppParts } from "../../start/routes.ts";
import { deviceName } from "./device-name.ts";
import { devicesView, endDevicesView, lateUntil, pageAsked } from "./devices-data.ts";
import { forgetSaid, readSaid, rememberSaid } from "./flash-cookie.ts";
import { liveAnswer } from "../page-response.ts";
import { type AnswerPerson, protect } from "../protected-page.ts";

/**
 * The pages that show where a person is signed in, and the forms on them. A form is answered with the way to a
 * page that says what was done; all of it works without scripts.
 */
export function addDevicesPages(app: Hono, parts: AppParts): void {
  app.get("/devices", protect(parts, showDevices(parts)));
  for (const which of ["others", "all"] as const) {
    app.get(`/devices/${which}`, protect(parts, askBeforeEnding(parts, which)));
  }
  app.post("/devices/others", protect(parts, ownForm(parts, "/devices/others", endOthers(parts))));
  app.post("/devices/all", protect(parts, ownForm(parts, "/devices/all", endAll(parts))));
  // Who had to sign in before the form could be acted on comes back by GET: the list is the place to go on.
  app.get(
    "/devices/:id",
    protect(parts, () => seeOther(parts, "/devices")),
  );
  app.post("/devices/:id", protect(parts, ownForm(parts, "/devices", endOne(parts))));
}

function showDevices({ auth, press }: AppParts): AnswerPerson {
  return async (request, session, context) => {
    const said = readSaid(context, press.now());
    const asked = { page: pageAsked(request.url), said };
    const view = devicesView(await auth.devices(request), session, asked);
    const page = liveAnswer(press, request, { screen: "devices", view }, session);
    if (said === undefined) return page;
    return withHeaders(page, [["Set-Cookie", forgetSaid(auth.config)]]);
  };
}

function askBeforeEnding(parts: AppParts, which: "others" | "all"): AnswerPerson {
  const { auth, press } = parts;
  return async (request, session) => {
    const view = endDevicesView(which, await auth.devices(request), press.now());
    if (which === "others" && (view.count ?? 0) === 0) return seeOther(parts, "/devices");
    return liveAnswer(press, request, { screen: "end-devices", view }, session);
  };
}

/** A form that another site has sent does nothing; its person comes to the page where it can be meant. */
function ownForm(parts: AppParts, retreat: string, act: AnswerPerson): AnswerPerson {
  const { auth, logger } = parts;
  return (request, session, context) => {
    if (isSameOrigin(request, auth.config.origin)) return act(request, session, context);
    logger.warn({ event: "refusal", route: "page", reason: "cross_site_form", status: 303 });
    return seeOther(parts, retreat);
  };
}

function endOne(parts: AppParts): AnswerPerson {
  const { auth, press } = parts;
  return async (request, _session, context) => {
    try {
      const ended = await auth.endDevice(request, context.req.param("id") ?? "");
      const [device] = ended?.devices ?? [];
      if (ended === null || device === undefined) return backToList(parts, { done: "gone" });
      if (device.isCurrent) return toSignedOut(parts, ended);
      return backToList(parts, saidOf(device, press.now()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return backToList(parts, { done: "failed" });
    }
  };
}

function saidOf(device: Device, now: number): Said {
  return { done: "one", device: deviceName(device.userAgent), ...lateUntil([device], now) };
}

function endOthers(parts: AppParts): AnswerPerson {
  const { auth, press } = parts;
  return async (request) => {
    const ended = await auth.endDevices(request, "others");
    const devices = ended?.devices ?? [];
    if (devices.length === 0) return backToList(parts, { done: "gone" });
    return backToList(parts, { done: "others", ...lateUntil(devices, press.now()) });
  };
}

function endAll(parts: AppParts): AnswerPerson {
  return async (request) => {
    const ended = await parts.auth.endDevices(request, "all");
    return ended === null ? seeOther(parts, "/devices") : toSignedOut(parts, ended);
  };
}

function backToList(parts: AppParts, said: Said): Response {
  const headers = [["Set-Cookie", rememberSaid(parts.auth.config, said)]] as const;
  return withHeaders(seeOther(parts, `/devices#${saidPlace}`), headers);
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut(parts: AppParts, { headers }: EndedDevices): Response {
  const { pagesPrefix } = parts.auth.config;
  return withHeaders(seeOther(parts, `${pagesPrefix}/signed-out?provider=still`), headers);
}

function seeOther({ auth }: AppParts, path: string): Response {
  return new Response(null, { status: 303, headers: { Location: auth.config.baseURL + path } });
}
