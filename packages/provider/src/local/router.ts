import type { RequestListener, ServerResponse } from "node:http";
import type { Provider } from "oidc-provider";
import type { AppLink } from "./clients.ts";
import { isOwnHost, refuseHost } from "./own-host.ts";
import { errorPage } from "./pages/error-page.ts";
import { type CustomerEntry, frontPage } from "./pages/front-page.ts";
import { sendPage } from "./pages/send-page.ts";
import { portrait, portraitPath } from "./users/portrait.ts";
import type { User } from "./users/sample-users.ts";
import type { ProviderSettings } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { chooseSpeech } from "./words/speech.ts";

/** What the pages of the provider need. */
export interface RouterDeps {
  readonly protocol: Provider;
  readonly issuer: string;
  readonly customer: string | undefined;
  readonly customers: readonly CustomerEntry[];
  readonly apps: readonly AppLink[];
  readonly users: readonly User[];
  readonly onFault: ProviderSettings["onFault"];
}

/** Routes a request to one of our own pages, or else to the protocol. */
export function createRouter(deps: RouterDeps): RequestListener {
  const { protocol, issuer, customer, customers, apps, users, onFault } = deps;
  const respondByProtocol = protocol.callback();
  const { host } = new URL(issuer);
  return (request, response) => {
    if (!isOwnHost(request.headers.host, host)) return refuseHost(response);
    // The protocol makes addresses of it: they are those of the issuer, whatever host a client
    // names.
    request.headers.host = host;
    const [path = "/"] = (request.url ?? "/").split("?");
    const person = users.find((candidate) => path === portraitPath(candidate));
    if (person !== undefined) return sendPortrait(response, person);
    const acceptLanguage = request.headers["accept-language"];
    const speech = chooseSpeech({ acceptLanguage, customer });
    if (path === "/") return sendPage(response, 200, frontPage(speech, issuer, apps, customers));
    if (!path.startsWith("/interaction/")) return respondByProtocol(request, response);
    signIn(deps, request, response).catch((error: unknown) => {
      onFault?.(error instanceof Error ? error : new Error(String(error)));
      if (response.headersSent) response.end();
      else sendPage(response, 500, errorPage(speech, { error: "server_error" }, apps));
    });
  };
}

function sendPortrait(response: ServerResponse, person: User): void {
  response
    .writeHead(200, {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Cache-Control": "public, max-age=3600",
      "Content-Security-Policy": "default-src 'none'",
      "Cross-Origin-Resource-Policy": "cross-origin",
    })
    .end(portrait(person.name));
}
