import assets from "#assets";
import type { AuthRequest, Pages, PagesSite, Part, RequestAuth, Session } from "latchkey";

import { keptFormPage } from "../pages/kept-form/kept-form-screen.tsx";
import { factsOf } from "../pages/problem/problem-facts.ts";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import { stepUpPath } from "../pages/step-up/step-up-route.ts";
import { forRequest } from "../rendering/for-request.ts";
import type { Page } from "../rendering/page.ts";
import { renderPage } from "../rendering/render.tsx";
import { pagePolicy } from "./page-policy.ts";
import { createRendering } from "./rendering.ts";
import { createPageRoutes, filesPath } from "./routes.ts";
import { type PagesSettings, pagesFaults } from "./settings.ts";
import { renderSetup } from "./setup.ts";

/**
 * The pages of an app below the prefix of pages, `/_auth` by default: account, devices, recent
 * activity, signed out, and every problem.
 *
 * @example
 *   createAuth({ pages: pages({ name: "Harbour", accent: "#7a1f5c" }) });
 */
export function pages(settings: PagesSettings = {}): Part<"pages"> {
  return {
    name: "pages",
    faults: pagesFaults(settings),
    open: (site) => ({ pages: createPages(settings, site) }),
    setup: (faults, engine, request) =>
      renderSetup(settings, { faults, settings: engine, request }),
  };
}

function createPages(settings: PagesSettings, site: PagesSite): Pages<RequestAuth, Session> {
  const { brand, ...rendering } = createRendering(settings, site.config, site);
  const policy = pagePolicy(site.config, rendering);
  const render = async (page: Page, request: AuthRequest) => ({
    html: renderPage(page, ...forRequest(request, rendering)),
    policy: await policy,
  });
  return {
    problem: (problem, request, session) =>
      render(problemPage(problem, session, factsOf(problem, request, session)), request),
    signedOut: (signedOut, request) => render(signedOutPage(signedOut), request),
    keptForm: (form, request) => render(keptFormPage(form), request),
    stepUp: stepUpPath,
    files: filesPath,
    brand,
    respond: createPageRoutes(site, rendering, { modules: assets.modules, policy }),
  };
}
