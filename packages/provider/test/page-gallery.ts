/** Every page of the local provider in every state, in the language named by `?lang=`. */
import type { LoopbackServer } from "../src/http/loopback-server.ts";
import { startLoopbackServer } from "../src/http/loopback-server.ts";
import { errorPage } from "../src/local/pages/error-page.ts";
import { frontChannelPage } from "../src/local/pages/front-channel-page.ts";
import { frontPage } from "../src/local/pages/front-page.ts";
import type { Page } from "../src/local/pages/page.ts";
import { plainPage } from "../src/local/pages/plain-page.ts";
import { signInPage } from "../src/local/pages/sign-in-page.ts";
import { portrait, portraitPath } from "../src/local/users/portrait.ts";
import { sampleUsers } from "../src/local/users/sample-users.ts";
import { chooseSpeech } from "../src/local/words/speech.ts";
import type { Speech } from "../src/local/words/words.ts";

const app = {
  name: "Harbour",
  url: "http://localhost:3000/",
  signInURL: "http://localhost:3000/api/auth/login",
};
const nameless = { name: "my-client", url: undefined, signInURL: undefined };
const issuer = "http://localhost:4000";
const customers = ["Acme", "Globex"].map((name) => ({
  name,
  issuer: `${issuer}/${name.toLowerCase()}`,
  apps: [app],
}));
const description =
  "redirect_uri did not match any of the client's registered redirect_uris: http://localhost:3000/api/auth/callback";

/** A server with a list of links at its root, and a page behind each. */
export function openProviderGallery(): Promise<LoopbackServer> {
  const portraits = new Map(
    sampleUsers.map((person) => [portraitPath(person), portrait(person.name)]),
  );
  return startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", issuer);
    const picture = portraits.get(pathname);
    if (picture !== undefined) {
      response.setHeader("Content-Type", "image/svg+xml").end(picture);
      return;
    }
    const pages = providerPages(chooseSpeech({ uiLocales: searchParams.get("lang") ?? "en" }));
    const page = pages.get(pathname.slice(1)) ?? listOf([...pages.keys()]);
    response.writeHead(200, page.headers).end(page.body);
  });
}

function providerPages(speech: Speech): ReadonlyMap<string, Page> {
  const asked = {
    speech,
    appName: app.name,
    basePath: "",
    interaction: "none",
    formTargets: [],
    users: sampleUsers,
    hint: undefined,
    current: undefined,
    organization: undefined,
  };
  return new Map([
    ["sign-in", signInPage(asked)],
    ["sign-in-hinted", signInPage({ ...asked, hint: "emi@example.net", current: "person-ada" })],
    ["sign-in-organization", signInPage({ ...asked, organization: "harbour" })],
    ["front", frontPage(speech, issuer, [app], [])],
    ["front-customer", frontPage({ ...speech, customer: "Acme" }, issuer, [app], [])],
    ["front-customers", frontPage(speech, issuer, [app], customers)],
    ["front-nameless", frontPage(speech, issuer, [app, nameless], [])],
    ["error", errorPage(speech, { error: "invalid_client" }, [])],
    ["error-reason", errorPage(speech, { error: "invalid_redirect_uri", description }, [app])],
    ["not-found", plainPage(speech, "notFound", [app])],
    ["ended", plainPage(speech, "ended", [app])],
    ["signed-out", plainPage(speech, "signedOut", [app])],
    ["signing-out", stays(frontChannelPage(speech, [], "/signed-out"))],
  ]);
}

/** Removes the header by which a page leaves after a second. */
function stays({ headers: { Refresh: _leaves, ...headers }, body }: Page): Page {
  return { headers, body };
}

function listOf(names: readonly string[]): Page {
  const links = names.map((name) => `<li><a href="/${name}">${name}</a>`).join("");
  return {
    headers: { "Content-Type": "text/html; charset=utf-8" },
    body: `<!doctype html><title>Pages of the local provider</title><ul>${links}</ul>`,
  };
}
