import assets from "#assets";
import type {
  AuthRequest,
  Config,
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
import type { Page } from "../rendering/page.ts";
import { renderFor } from "../rendering/render.tsx";
import { pagePolicy } from "./page-policy.ts";
import { createRendering, type Rendering } from "./rendering.ts";
import { createPageApp, createPageRoutes, filesPath } from "./routes.ts";
import { pagesForms, type PagesSettings } from "./settings.ts";
import { renderSetup } from "./setup.ts";

/** What all sites of an app have in common. */
type SharedSite = Omit<PagesSite, "hasSeveralWays" | "labelOf">;

/** The option for the pages of an app. */
export interface AppPages extends Part<"pages"> {
  open(engine: SharedSite): {
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
      const shared = createShared(settings, engine);
      return { pages: (site) => createPages(shared, site) };
    },
    setup: (faults, engine, request) =>
      renderSetup(settings, { faults, settings: engine, request }),
  };
}

/** A client chooses the names of hosts: what a site has of its own is small. */
function createShared(settings: PagesSettings, engine: SharedSite) {
  const { standalone: isStandalone = false } = settings;
  const trouble = createProviderTrouble(engine.now);
  const standalone = { prefix: engine.config.pagesPrefix, isProviderDown: trouble.isRecent };
  return {
    renderingAt: createRenderings(settings, engine),
    trouble,
    modules: assets.modules,
    app: createPageApp(isStandalone ? standalone : null),
    isStandalone,
  };
}

/** Returns a function that finds the rendering for a host: some have a look of their own. */
function createRenderings(
  { hosts = {}, ...settings }: PagesSettings,
  engine: SharedSite,
): (config: Pick<Config, "baseURL">) => Rendering {
  const { config, warn } = engine;
  const ofAll = createRendering(settings, config, engine);
  const ofHosts = new Map(
    Object.entries(hosts).map(([host, own]) => [
      host,
      createRendering({ ...settings, ...own }, config, engine),
    ]),
  );
  const hasStar = config.baseURLs.some((baseURL) => baseURL.includes("*"));
  const known = new Set(config.baseURLs.map((baseURL) => new URL(baseURL).host));
  for (const host of ofHosts.keys()) {
    if (!hasStar && !known.has(host)) warn(`pages.hosts has ${host}, which is no host of the app.`);
  }
  return ({ baseURL }) => ofHosts.get(new URL(baseURL).host) ?? ofAll;
}

function createPages(shared: ReturnType<typeof createShared>, site: PagesSite): CreatedPages {
  const { trouble, isStandalone } = shared;
  const { brand, at } = shared.renderingAt(site.config);
  const rendering = at({ ...site.config, hasSeveralWays: site.hasSeveralWays });
  const policy = pagePolicy(site.config, rendering);
  const render = async (page: Page, request: AuthRequest) => ({
    html: renderFor(request, page, rendering),
    policy: await policy,
  });
  return {
    problem(problem, request, session) {
      // One of several providers says nothing of the others.
      if (!site.hasSeveralWays) trouble.note(problem);
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
