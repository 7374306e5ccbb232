import type { Context } from "oidc-provider";
import { postForm } from "../../http/post-form.ts";

/**
 * Ends a session without a second question.
 *
 * oidc-provider answers an end-session request, and a sign-in as someone else, with a form that
 * the person or a script must send. That form is sent from here, with the browser's cookies, and
 * the browser gets the answer to it: one redirect, no page, no script.
 *
 * @param origin where this provider listens.
 * @param caCertificate the certificate that it is trusted by when it speaks https.
 */
export function finishLogout(
  origin: string,
  caCertificate: string | undefined,
): (context: Context, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    await next();
    const secret = questionSecret(context);
    if (secret === undefined) return;
    const { statusCode, headers } = await postForm(
      `${origin}/session/end/confirm`,
      new URLSearchParams({ xsrf: secret, logout: "yes" }),
      { Cookie: currentCookies(context) },
      caCertificate,
    );
    context.body = null;
    context.status = statusCode ?? 500;
    context.remove("Content-Security-Policy");
    context.set("Set-Cookie", [...setCookies(context), ...(headers["set-cookie"] ?? [])]);
    context.set("Location", headers.location ?? origin);
  };
}

/** The secret of the form, when the answer is a page that carries it. */
function questionSecret({ oidc, status, body }: Context): string | undefined {
  if (oidc === undefined || status !== 200 || typeof body !== "string") return undefined;
  if (oidc.route !== "end_session" && oidc.route !== "resume") return undefined;
  const secret = oidc.session?.state?.secret;
  return secret !== undefined && body.includes(secret) ? secret : undefined;
}

/** The cookies that the browser would send next: those it sent, changed by this answer. */
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
