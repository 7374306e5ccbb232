import assets from "#assets";
import type { AuthRequest, ConfigFault } from "latchkey";

import { onlyEnglish } from "../messages/catalogue.ts";
import { createVocabulary } from "../messages/compiled-words.ts";
import { setupView } from "../pages/setup/setup-data.ts";
import { setupPage } from "../pages/setup/setup-screen.tsx";
import { withoutUserInfo } from "../pages/setup/without-user-info.ts";
import { createLiveWords } from "../rendering/live-words.ts";
import { renderPage } from "../rendering/render.tsx";
import type { PagesSettings } from "./settings.ts";

interface SetupFacts {
  readonly faults: readonly ConfigFault[];
  /** As far as it is set. */
  readonly baseURL: string | undefined;
  readonly request: AuthRequest;
}

/** The page about settings that cannot be used, for developers. */
export function renderSetup(
  { name, languages = onlyEnglish }: PagesSettings,
  { faults, baseURL: given = "", request }: SetupFacts,
): string {
  const known = withoutUserInfo(given).replace(/\/+$/, "");
  const baseURL = URL.canParse(known) ? known : new URL(request.url).origin;
  const { host, pathname } = new URL(baseURL);
  const root = pathname.replace(/\/+$/, "");
  const routes = { login: `${root}/api/auth/login`, logout: `${root}/api/auth/logout` };
  const site = {
    app: name ?? host,
    baseURL,
    host,
    root,
    homeURL: `${baseURL}/`,
    links: [],
    loginURL: `${baseURL}/api/auth/login`,
    logoutURL: `${baseURL}/api/auth/logout`,
    pictureSources: [],
    development: true,
  };
  const vocabulary = createVocabulary(
    { app: site.app, provider: { message: "provider.unknown" }, host },
    languages,
  );
  const view = setupView(undefined, faults, baseURL);
  return renderPage(setupPage(view), request.headers.get("accept-language"), {
    site,
    vocabulary,
    liveWords: createLiveWords(vocabulary, languages.keys()),
    assets,
    paths: {
      ...routes,
      me: `${root}/api/auth/me`,
      session: `${root}/_auth/session.json`,
      events: `${root}/_auth/session-events`,
      pages: `${root}/_auth`,
    },
    isLive: false,
    now: () => Math.floor(Date.now() / 1000),
  });
}
