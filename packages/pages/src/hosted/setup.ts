import type { AuthRequest, ConfigFault, PageWithPolicy } from "latchkey";

import { type SetupRoutes, setupView } from "../pages/setup/setup-data.ts";
import { setupPage } from "../pages/setup/setup-screen.tsx";
import { withoutUserInfo } from "../pages/setup/without-user-info.ts";
import { renderFor } from "../rendering/render.tsx";
import { pagePolicy } from "./page-policy.ts";
import { createRendering, type EngineFacts } from "./rendering.ts";
import { isColor, type PagesSettings } from "./settings.ts";

interface GivenFacts {
  readonly faults: readonly ConfigFault[];
  /** Those of the engine, as written. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly request: AuthRequest;
}

/** The page about settings that cannot be used, for developers. */
export async function renderSetup(
  given: PagesSettings,
  { faults, settings, request }: GivenFacts,
): Promise<PageWithPolicy> {
  const facts = factsOf(settings, request);
  const usable = withoutFaults(given, faults);
  const isOwnApp = usable.standalone !== true;
  const view = setupView({ ...facts, faults, settings, isOwnApp });
  const rendering = createRendering(usable, facts, {
    warn: () => {},
    now: () => Math.floor(Date.now() / 1000),
  }).at(facts);
  return {
    html: renderFor(request, setupPage(view), rendering),
    policy: await pagePolicy(facts, rendering),
  };
}

/** Of faulty settings of the pages only the languages and the kind of site count. */
function withoutFaults(given: PagesSettings, faults: GivenFacts["faults"]): PagesSettings {
  const isFaulty = (place: string) =>
    faults.some(({ option }) => option === place || option.startsWith(`${place}.`));
  if (!isFaulty("pages")) return given;
  if (faults.some(({ option }) => option === "pages")) return {};
  const { standalone, languages } = given;
  return { standalone, languages: isFaulty("pages.languages") ? undefined : languages };
}

/** Wrong settings of the engine have their defaults here. */
function factsOf(
  settings: GivenFacts["settings"],
  request: AuthRequest,
): EngineFacts & { readonly routes: SetupRoutes } {
  const given = withoutUserInfo(text(settings["baseURL"])).replace(/\/+$/, "");
  const baseURL = URL.canParse(given) ? given : openedOrigin(request);
  const routes = members(settings["routes"]);
  const prefix = pathOr("/api/auth", routes["prefix"]);
  const pagesPrefix = pathOr("/_auth", settings["pagesPrefix"]);
  const landing = text(routes["postLogoutRedirect"]);
  const issuerBaseURL = text(settings["issuerBaseURL"]);
  const accents = text(members(settings["color"])["accent"]).split(/[ ,]+/);
  return {
    appName: text(settings["appName"]) || undefined,
    baseURL,
    basePath: new URL(baseURL).pathname.replace(/\/+$/, ""),
    color: { accent: accents.every(isColor) ? accents.join(" ") : "#0b6e5f #4cc9ae" },
    issuerBaseURL,
    connections: { default: { issuerBaseURL } },
    pagesPrefix,
    production: false,
    streams: 0,
    routes: {
      login: pathOr(`${prefix}/login`, routes["login"]),
      callback: pathOr(`${prefix}/callback`, routes["callback"]),
      logout: `${prefix}/logout`,
      me: `${prefix}/me`,
      backchannelLogout: `${prefix}/backchannel-logout`,
      postLogoutRedirect: /^https?:/.test(landing)
        ? landing
        : pathOr(`${pagesPrefix}/signed-out`, landing),
    },
  };
}

/** The origin that the developer has opened, on a server without TLS. */
function openedOrigin({ headers, url }: AuthRequest): string {
  const opened = `http://${headers.get("host") ?? ""}`;
  return new URL(URL.canParse(opened) ? opened : url).origin;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function pathOr(otherwise: string, value: unknown): string {
  return /^\/(?!\/)[\w\-./~]*$/.test(text(value)) ? text(value) : otherwise;
}
