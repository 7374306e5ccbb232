import { type Device, isSameOrigin, Refusal } from "latchkey";

import { browserOf } from "../new-sign-in/new-sign-ins.ts";
import { addRecognized } from "../new-sign-in/recognized-cookie.ts";
import type { PageApp, PageContext } from "../page-deps.ts";
import { pageResponse, signedInResponse } from "../page-response.ts";
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
export function addDevicesPages(app: PageApp): void {
  app.get("/devices", showDevices);
  app.get("/devices/all", confirmEndAll);
  app.get("/devices/others", confirmEndOthers);
  app.post("/devices/all", ownForm("/devices/all", endAll));
  app.post("/devices/others", ownForm("/devices", orFailed(endOthers)));
  app.post("/devices/:id", ownForm("/devices", orFailed(endOne)));
  app.post("/devices/:id/known", ownForm("/devices", orFailed(recognize)));
  app.post("/devices/:id/unknown", ownForm("/devices", orFailed(endUnknown)));
  app.post("/devices/:id/name", ownForm("/devices", orFailed(rename)));
  // After a sign-in that a form has required, the browser comes back by GET, to the list.
  for (const path of ["/devices/:id", "/devices/:id/:action{name|known|unknown}"]) {
    app.get(path, (context) => seeOther(context, "/devices"));
  }
}

async function showDevices(context: PageContext): Promise<Response> {
  const { deps } = context.env;
  const auth = context.var.auth.require();
  const now = deps.rendering.now();
  const flash = readFlashMessage(context);
  const [devices, activity] = await Promise.all([auth.devices(), auth.activity()]);
  const { labelOf } = deps.rendering;
  const request = { ...readPlace(context.req.url), flash, activity, labelOf, now };
  const view = devicesView(devices, auth.session, request);
  const page = devicesPage(view, auth.session);
  const response = await signedInResponse(context, page, {
    devices: async () => devices,
    activity: async () => activity,
  });
  if (flash !== undefined) response.headers.append("Set-Cookie", clearFlashMessage(deps));
  return response;
}

async function confirmEndAll(context: PageContext): Promise<Response> {
  const { config, rendering } = context.env.deps;
  const auth = context.var.auth.require();
  const { idpLogout } = config;
  const view = endAllView(await auth.devices(), auth.session, { idpLogout, now: rendering.now() });
  return pageResponse(context, endAllPage(view, auth.session));
}

async function confirmEndOthers(context: PageContext): Promise<Response> {
  const auth = context.var.auth.require();
  const view = endOthersView(await auth.devices(), context.env.deps.rendering.now());
  if (view === null) return seeOther(context, "/devices");
  return pageResponse(context, endOthersPage(view, auth.session));
}

/** A form of another site does nothing; it leads to the page with the form. */
function ownForm(retreat: string, handle: Handler): Handler {
  return (context) => {
    const { config, warn } = context.env.deps;
    context.var.auth.require();
    if (isSameOrigin(context.req.raw, config.origin)) return handle(context);
    warn("A form of another site was refused.");
    return seeOther(context, retreat);
  };
}

function endOne(context: PageContext): Promise<Response> {
  return endDevice(context, {});
}

function endUnknown(context: PageContext): Promise<Response> {
  return endDevice(context, { isUnknown: true });
}

/** @param more - for the message about it */
async function endDevice(
  context: PageContext,
  more: Pick<FlashFacts, "isUnknown">,
): Promise<Response> {
  const { auth } = context.var;
  const isShared = auth.session?.times.shared === true;
  const ended = (await auth.endDevice(context.req.param("id") ?? "")) ?? [];
  if (ended.some(({ isCurrent }) => isCurrent))
    return isShared ? toLogout(context) : toSignedOut(context);
  return backToList(context, { ...endedFacts(context, ended), ...more });
}

/** Keeps for this browser that the user knows a device, and leads back to the page. */
async function recognize(context: PageContext): Promise<Response> {
  const { deps } = context.env;
  const activity = (await context.var.auth.activity()) ?? [];
  const browser = browserOf(context.req.param("id") ?? "", activity);
  const from = context.req.query("from") ?? "";
  const response = pagesWithQuestion.test(from)
    ? seeOther(context, from)
    : redirect(deps.rendering.site.homeURL);
  response.headers.append("Set-Cookie", addRecognized(deps, context, browser));
  return response;
}

/** Beside the home page of the web application. */
const pagesWithQuestion = /^\/(?:account|account\/details|devices|sample)$/;

async function endOthers(context: PageContext): Promise<Response> {
  const ended = (await context.var.auth.endDevices("others")) ?? [];
  return backToList(context, endedFacts(context, ended));
}

/** The message about devices that a form has ended. */
function endedFacts({ env }: PageContext, ended: readonly Device[]): FlashFacts {
  const [first] = ended;
  if (first === undefined) return { done: "gone" };
  const id = ended.length === 1 ? first.id : undefined;
  const now = env.deps.rendering.now();
  return { done: "ended", id, count: ended.length, ...lateUntil(ended, now) };
}

async function rename(context: PageContext): Promise<Response> {
  const {
    req,
    env,
    var: { auth },
  } = context;
  try {
    const name = (await env.page.form()).get("name") ?? "";
    const device = await auth.renameDevice(req.param("id") ?? "", name);
    if (device === null) return backToList(context, { done: "gone" });
    return backToList(context, { done: "renamed", id: device.id });
  } catch (error) {
    if (error instanceof RangeError || isTooLarge(error))
      return backToList(context, { done: "name-too-long" });
    throw error;
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Refusal && error.reason === "body_too_large";
}

/** If the store does not respond, nothing has changed, and the list says so. */
function orFailed(handle: Handler): Handler {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return backToList(context, { done: "failed" });
    }
  };
}

async function endAll(context: PageContext): Promise<Response> {
  if ((await context.var.auth.endDevices("all")) === null) return seeOther(context, "/devices");
  // Else the provider would sign the user in again without a question.
  return toLogout(context);
}

/** Redirects to the part of the list with the form. */
function backToList(context: PageContext, message: FlashFacts): Response {
  const query = placeQuery(readPlace(context.req.url));
  const response = seeOther(context, `/devices${query}#${flashAnchor}`);
  response.headers.append("Set-Cookie", setFlashMessage(context.env.deps, message));
  return response;
}

/** The sign-in at the provider goes on, and the page says so. */
function toSignedOut({ env }: PageContext): Response {
  const { baseURL, pagesPrefix } = env.deps.config;
  return redirect(`${baseURL}${pagesPrefix}/signed-out?provider=still`);
}

function toLogout({ env }: PageContext): Response {
  return redirect(env.deps.rendering.site.logoutURL);
}

function seeOther({ env }: PageContext, path: string): Response {
  const { config, rendering } = env.deps;
  return redirect(config.origin + rendering.site.root + path);
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { Location: location } });
}
