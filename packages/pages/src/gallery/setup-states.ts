import type { ConfigFault } from "latchkey";

import { setupView } from "../pages/setup/setup-data.ts";
import { setupPage } from "../pages/setup/setup-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";

/** In the words of a start with such settings. */
const setupFaults: readonly ConfigFault[] = [
  {
    option: "issuerBaseURL",
    variable: "LATCHKEY_ISSUER_BASE_URL",
    message: "must be a valid uri",
    seen: "id.example.com",
    remedy:
      "Change LATCHKEY_ISSUER_BASE_URL to the issuer, exactly as the metadata of your provider spells it, such as https://id.example.com.",
  },
  {
    option: "clientID",
    variable: "LATCHKEY_CLIENT_ID",
    message: "is required",
    remedy: "Set LATCHKEY_CLIENT_ID to the client ID that your provider gave this app.",
  },
  {
    option: "secret",
    variable: "LATCHKEY_SECRET",
    message: "length must be at least 8 characters long",
    remedy:
      "Change LATCHKEY_SECRET to 32 random bytes, for example the output of openssl rand -base64 32.",
  },
];

const setupFacts = {
  faults: setupFaults,
  settings: {
    baseURL: "http://localhost:3000",
    issuerBaseURL: "id.example.com",
    clientSecret: "never shown",
    secret: "secret",
  },
  baseURL: "http://localhost:3000",
  routes: {
    callback: "/api/auth/callback",
    backchannelLogout: "/api/auth/backchannel-logout",
    postLogoutRedirect: "/_auth/signed-out",
  },
  isOwnApp: false,
};

/** The page of the first run. */
export function setupStates(): GalleryState[] {
  return [
    {
      id: "setup",
      title: "First run",
      page: setupPage(setupView(setupFacts)),
    },
  ];
}
