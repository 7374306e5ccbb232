import type { ConfigFault } from "latchkey";

import { createVocabulary } from "../messages/compiled-words.ts";
import type { SettingRow, SetupView } from "../pages/setup/setup-view.ts";
import { readAppSettings } from "./settings.ts";
import { type BuiltFiles } from "../serving/built-files.ts";
import type { Environment } from "./compose.ts";
import { plainAnswer, wantsPage } from "../pages/page-response.ts";
import type { Press } from "../rendering/render.tsx";
import { siteOf } from "./site.ts";
import { staticAnswer } from "../serving/static-answer.ts";

/** What the app answers in development while its settings are not usable: the first-run page. */
export function createSetupHandler(
  environment: Environment,
  faults: readonly ConfigFault[],
  built: BuiltFiles,
): (request: Request) => Response | Promise<Response> {
  const { settings } = readAppSettings(environment);
  const baseURL = settings.baseURL.replace(/\/+$/, "");
  const routes = { login: "/api/auth/login", logout: "/api/auth/logout" };
  const press: Press = {
    site: siteOf(settings, { baseURL: usable(baseURL), basePath: "", routes }),
    vocabulary: createVocabulary(),
    parts: built.parts,
    paths: { ...routes, me: "/api/auth/me", session: "/_auth/session.json", pages: "/_auth" },
    now: () => Math.floor(Date.now() / 1000),
  };
  const view = setupView(environment, faults, baseURL);
  return (request) => {
    const file = built.files.get(new URL(request.url).pathname);
    if (file !== undefined) return staticAnswer(request, file);
    if (wantsPage(request)) return plainAnswer(press, request, { screen: "setup", view }, 503);
    return Response.json({ error: "not_set_up", faults }, { status: 503 });
  };
}

function usable(baseURL: string): string {
  return URL.canParse(baseURL) ? baseURL : "http://localhost:3000";
}

const essential: readonly string[] = [
  "LATCHKEY_BASE_URL",
  "LATCHKEY_ISSUER_BASE_URL",
  "LATCHKEY_CLIENT_ID",
  "LATCHKEY_CLIENT_SECRET",
  "LATCHKEY_SECRET",
];
const neverShown: readonly string[] = ["LATCHKEY_CLIENT_SECRET", "LATCHKEY_SECRET"];

/** The checklist: what every app needs, then whatever else is at fault. */
export function setupView(
  environment: Environment,
  faults: readonly ConfigFault[],
  baseURL: string,
): SetupView {
  const others = faults.map(({ variable }) => variable).filter((it) => !essential.includes(it));
  return {
    rows: [...essential, ...new Set(others)].map((variable) =>
      rowOf(variable, environment, faults, baseURL),
    ),
    callbackURL: `${baseURL}/api/auth/callback`,
    signOutReturnURL: `${baseURL}/_auth/signed-out`,
    backchannelURL: `${baseURL}/api/auth/backchannel-logout`,
  };
}

function rowOf(
  variable: string,
  environment: Environment,
  faults: readonly ConfigFault[],
  baseURL: string,
): SettingRow {
  const set = environment[variable] ?? (variable === "LATCHKEY_BASE_URL" ? baseURL : undefined);
  const fault = faults.find((each) => each.variable === variable);
  if (fault !== undefined) {
    const { message, remedy, seen } = fault;
    const state = set === undefined ? "missing" : "wrong";
    return { variable, state, message, remedy, ...(seen === undefined ? {} : { seen }) };
  }
  if (set === undefined) return { variable, state: "missing" };
  return { variable, state: "ok", ...(neverShown.includes(variable) ? {} : { seen: set }) };
}
