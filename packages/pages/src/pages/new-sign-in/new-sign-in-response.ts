import { Refusal, type RequestAuth, type Session } from "latchkey";

import { describeDevice } from "../../components/device-name.ts";
import type { NewSignIn } from "../../components/page-frame.tsx";
import type { SignedInPage } from "../../rendering/page.ts";
import type { PageContext, PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { browserOf, mayHaveNewSignIn, newSignIns } from "./new-sign-ins.ts";
import { addRecognized, readRecognized } from "./recognized-cookie.ts";

/** What the question is made of. */
type SignIns = Pick<RequestAuth, "activity" | "devices">;

/**
 * Responds with a page for a signed-in user, with the question about a new sign-in on another
 * device, if there is one.
 *
 * @param signIns by default those of the request; a page that has read them passes them on
 */
export async function signedInResponse(
  context: PageContext,
  page: SignedInPage,
  signIns: SignIns = context.var.auth,
): Promise<Response> {
  const { deps } = context.env;
  const newSignIn = await readNewSignIn(deps, context, page.session, signIns);
  return pageResponse(context, { ...page, newSignIn });
}

/** Keeps for this browser that the user knows a device, and leads back to the page. */
export async function recognizeDevice(context: PageContext): Promise<Response> {
  const { deps } = context.env;
  const activity = (await context.var.auth.activity()) ?? [];
  const browser = browserOf(context.req.param("id") ?? "", activity);
  const { site } = deps.rendering;
  const from = context.req.query("from") ?? "";
  const location = pagesWithQuestion.test(from)
    ? deps.config.origin + site.root + from
    : site.homeURL;
  const response = new Response(null, { status: 303, headers: { Location: location } });
  response.headers.append("Set-Cookie", addRecognized(deps, context, browser));
  return response;
}

/** Beside the home page of the web application. */
const pagesWithQuestion = /^\/(?:account|account\/details|devices|sample)$/;

async function readNewSignIn(
  { config }: PageDeps,
  context: PageContext,
  { times }: Session,
  signIns: SignIns,
): Promise<NewSignIn | undefined> {
  // Without a list of devices none can be signed out alone.
  if (config.session.stateful !== true) return undefined;
  try {
    const activity = await signIns.activity();
    if (activity === null) return undefined;
    const known = {
      activity,
      startedAt: times.startedAt,
      recognized: readRecognized({ config }, context),
    };
    if (!mayHaveNewSignIn(known)) return undefined;
    const [newest, ...others] = newSignIns(known, (await signIns.devices()) ?? []);
    if (newest === undefined) return undefined;
    const { id, startedAt: at } = newest;
    const { path: from } = context.req;
    return { id, at, device: describeDevice(newest), more: others.length, from };
  } catch (error) {
    // The page does not need the store.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
