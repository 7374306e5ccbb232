import type { Context } from "oidc-provider";

/**
 * Ends a session without a second question.
 *
 * oidc-provider answers an end-session request, and a sign-in as someone else, with a form that
 * the person or a script must send. That form is sent from here, with the browser's cookies, and
 * the browser gets the answer to it: one redirect, no page, no script.
 *
 * @param origin where this provider listens.
 */
export function finishLogout(
  origin: string,
): (context: Context, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    await next();
    const secret = questionSecret(context);
    if (secret === undefined) return;
    const answer = await fetch(`${origin}/session/end/confirm`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie: currentCookies(context) },
      body: new URLSearchParams({ xsrf: secret, logout: "yes" }),
    });
    await answer.body?.cancel();
    context.body = null;
    context.status = answer.status;
    context.remove("Content-Security-Policy");
    context.set("Set-Cookie", [...setCookies(context), ...answer.headers.getSetCookie()]);
    context.set("Location", answer.headers.get("Location") ?? origin);
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
