import assets from "#assets";
import type {
  AuthRequest,
  Pages,
  PagesSite,
  PageWithPolicy,
  Part,
  RequestAuth,
  Session,
} from "latchkey";

import { choosePage } from "../pages/choose/choose-screen.tsx";
import { createProviderTrouble } from "../pages/home/provider-trouble.ts";
import { keptFormPage } from "../pages/kept-form/kept-form-screen.tsx";
import type { PageProblem } from "../pages/problem/page-problem.ts";
import { factsOf } from "../pages/problem/problem-facts.ts";
import { problemPage } from "../pages/problem/problem-screen.tsx";
import { signedOutPage } from "../pages/signed-out/signed-out-screen.tsx";
import { stepUpPath } from "../pages/step-up/step-up-route.ts";
import { forRequest } from "../rendering/for-request.ts";
import type { Page } from "../rendering/page.ts";
import { renderPage } from "../rendering/render.tsx";
import { pagePolicy } from "./page-policy.ts";
import { createRendering } from "./rendering.ts";
import { createPageApp, createPageRoutes, filesPath } from "./routes.ts";
import { pagesForms, type PagesSettings } from "./settings.ts";
import { renderSetup } from "./setup.ts";

/** The option for the pages of an app. */
export interface AppPages extends Part<"pages"> {
  open(engine: Omit<PagesSite, "hasSeveralWays" | "labelOf">): {
    pages(site: PagesSite): CreatedPages;
  };
  setup: Required<Part>["setup"];
}

interface CreatedPages extends Pages<RequestAuth, Session> {
  /** Renders a problem of sign-in, or one of the server around the app. */
  problem(
    problem: PageProblem,
    request: AuthRequest,
    session: Session | null,
  ): Promise<PageWithPolicy>;
}

/**
 * The pages of an app below the prefix of pages, `/_auth` by default: account, devices, recent
 * activity, signed out, and every problem.
 *
 * @example
 *   createAuth({ pages: pages({ name: "Harbour", accent: "#7a1f5c" }) });
 */
export function pages(settings: PagesSettings = {}): AppPages {
  return {
    name: "pages",
    written: { place: "pages", call: "pages()", options: settings, forms: pagesForms },
    open(engine) {
      const shared = sharedBySites(settings, engine);
      return { pages: (site) => createPages(shared, site) };
    },
    setup: (faults, engine, request) =>
      renderSetup(settings, { faults, settings: engine, request }),
  };
}

/** A client chooses the names of hosts: what a site has of its own is small. */
function sharedBySites(
  settings: PagesSettings,
  engine: Omit<PagesSite, "hasSeveralWays" | "labelOf">,
) {
  const { standalone: isStandalone = false } = settings;
  const trouble = createProviderTrouble(engine.now);
  const standalone = { prefix: engine.config.pagesPrefix, isProviderDown: trouble.isRecent };
  return {
    rendering: createRendering(settings, engine.config, engine),
    trouble,
    modules: assets.modules,
    app: createPageApp(isStandalone ? standalone : null),
    isStandalone,
  };
}

function createPages(shared: ReturnType<typeof sharedBySites>, site: PagesSite): CreatedPages {
  const { trouble, isStandalone } = shared;
  const { brand, at } = shared.rendering;
  const rendering = at({ ...site.config, hasSeveralWays: site.hasSeveralWays });
  const policy = pagePolicy(site.config, rendering);
  const render = async (page: Page, request: AuthRequest) => ({
    html: renderPage(page, ...forRequest(request, rendering)),
    policy: await policy,
  });
  return {
    problem(problem, request, session) {
      trouble.note(problem);
      const facts = factsOf(problem, request, session);
      // Below the address of another app none of our scripts runs.
      const shown = request.pageURL === undefined ? session : null;
      return render(problemPage(problem, shown, facts), request);
    },
    signedOut: (signedOut, request) => render(signedOutPage(signedOut), request),
    keptForm: (form, request) => render(keptFormPage(form), request),
    signIn: (choice, request) => render(choosePage(choice), request),
    stepUp: stepUpPath,
    files: filesPath,
    ...(isStandalone && { root: "" }),
    brand,
    respond: createPageRoutes(site, { rendering, policy }, shared),
  };
}
