import type { Context } from "oidc-provider";
import { postForm } from "../../http/post-form.ts";
import { frontChannelPage } from "../pages/front-channel-page.ts";
import type { Page } from "../pages/page.ts";
import type { ClientSettings } from "../settings.ts";
import { speechFor } from "../words/speech-for.ts";
import { logoutFrames } from "./front-channel.ts";

export interface FinishLogoutOptions {
  readonly issuer: string;
  readonly customer: string | undefined;
  /** The certificate for requests to this provider over https. */
  readonly caCertificate: string | undefined;
  readonly clients: readonly ClientSettings[];
}

/**
 * Ends a session without a confirmation page.
 *
 * oidc-provider responds to an end-session request, and to a sign-in as another person, with a form
 * to be submitted by the person or a script. This middleware submits the form with the browser's
 * cookies and passes the response on: one redirect, no page, no script.
 *
 * If applications use front-channel logout, there is a page with a frame for each of them.
 */
export function finishLogout({
  issuer,
  customer,
  caCertificate,
  clients,
}: FinishLogoutOptions): (context: Context, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    await next();
    const secret = formSecret(context);
    if (secret === undefined) return;
    const { statusCode, headers } = await postForm(
      `${issuer}/session/end/confirm`,
      new URLSearchParams({ xsrf: secret, logout: "yes" }),
      { Cookie: currentCookies(context) },
      caCertificate,
    );
    context.body = null;
    context.status = statusCode ?? 500;
    context.remove("Content-Security-Policy");
    context.set("Set-Cookie", [...setCookies(context), ...(headers["set-cookie"] ?? [])]);
    context.set("Location", headers.location ?? issuer);
    const frames = logoutFrames(context, clients, issuer);
    if (frames.length > 0) {
      const speech = speechFor(context, customer);
      showFrames(context, frontChannelPage(speech, frames, headers.location ?? issuer));
    }
  };
}

/** Replaces the redirect by a page with the frames, and a redirect to the same address. */
function showFrames(context: Context, { headers, body }: Page): void {
  context.remove("Location");
  context.status = 200;
  context.set(headers);
  context.body = body;
}

/** The secret of the form; undefined if the response is another page. */
function formSecret({ oidc, status, body }: Context): string | undefined {
  if (oidc === undefined || status !== 200 || typeof body !== "string") return undefined;
  if (oidc.route !== "end_session" && oidc.route !== "resume") return undefined;
  const secret = oidc.session?.state?.secret;
  return secret !== undefined && body.includes(secret) ? secret : undefined;
}

/** The next cookies of the browser: those of its request, changed by this response. */
function currentCookies(context: Context): string {
  const jar = new Map<string, string>();
  const sent = (context.req.headers.cookie ?? "").split(/;\s*/u);
  for (const pair of [...sent, ...setCookies(context)]) {
    const [name, ...value] = (pair.split(";")[0] ?? "").split("=");
    if (name !== undefined && name !== "") jar.set(name.trim(), value.join("="));
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

function setCookies(context: Context): readonly string[] {
  const header = context.response.get("Set-Cookie");
  return typeof header === "string" ? (header === "" ? [] : [header]) : header;
}
