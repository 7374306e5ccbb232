import { returnToRules } from "../access/addresses.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors/refusal.ts";
import { redirect } from "../http/answers.ts";
import { parseCookies } from "../http/cookies.ts";
import { readForm } from "../http/form.ts";
import { noStoreHeaders, withHeaders } from "../http/headers.ts";
import { type Parameters, readParameters } from "../http/parameters.ts";
import { safeReturnTo } from "../http/return-to.ts";
import { authorizationURL } from "../oidc/authorization-request.ts";
import type { Transaction } from "../transaction/transaction.ts";
import { checkNoLoop } from "./loop-guard.ts";
import { stateOf } from "./restart.ts";

/** What a login may be asked for; nothing else of the query ever reaches the provider. */
const loginParameters = ["returnTo", "prompt", "restart", "iss", "login_hint", "target_link_uri"];

/**
 * Starts sign-in: remembers a pending login in a cookie and sends the browser to the provider.
 *
 * With `iss` it is a login that a third party has started (OpenID Connect Core, section 4).
 */
export async function login(context: Context, request: Request): Promise<Response> {
  const { config, provider, transactions } = context;
  const cookies = parseCookies(request);
  const asked = await readLogin(request);
  checkIssuer(asked.get("iss"), config.issuerBaseURL);
  await checkNoLoop(context, request);
  const transaction = newTransaction(context, asked);
  const location = await authorizationURL(config, provider, {
    ...transaction,
    extra: await extraParameters(context, asked),
  });
  const setCookies = await transactions.add(transaction, cookies);
  return withHeaders(redirect(location, request.method === "POST" ? 303 : 302), [
    ...noStoreHeaders,
    ...setCookies.map((value) => ["Set-Cookie", value] as const),
  ]);
}

async function readLogin(request: Request): Promise<Parameters> {
  if (request.method === "POST") return readParameters(await readForm(request), loginParameters);
  const query = new URL(request.url).searchParams;
  const [returnTo] = query.getAll("returnTo");
  if (returnTo !== undefined) query.set("returnTo", returnTo);
  return readParameters(query, loginParameters);
}

/** Only our own provider may be asked for: anything else would be a way to send people elsewhere. */
function checkIssuer(iss: string | undefined, issuer: string): void {
  if (iss !== undefined && iss !== issuer) throw new Refusal("foreign_issuer");
}

function newTransaction(context: Context, asked: Parameters): Transaction {
  const { config, randomText, clock } = context;
  return {
    state: stateOf(randomText(32), asked.get("restart") === "1"),
    nonce: randomText(32),
    returnTo: destination(context, asked.get("returnTo") ?? asked.get("target_link_uri")),
    started: clock(),
    ...(config.responseType.includes("code") ? { codeVerifier: randomText(32) } : {}),
    ...(config.maxAge === undefined ? {} : { maxAge: config.maxAge }),
  };
}

/** An unsafe return address is dropped for the base URL, and logged. */
function destination({ config, log }: Context, wanted: string | undefined): string {
  const safe = wanted === undefined ? null : safeReturnTo(wanted, returnToRules(config));
  if (wanted !== undefined && safe === null) {
    log({ event: "return-to-dropped", length: wanted.length });
  }
  return safe ?? `${config.baseURL}/`;
}

async function extraParameters(
  { provider }: Context,
  asked: Parameters,
): Promise<Readonly<Record<string, string>>> {
  const hint = asked.has("iss") ? asked.get("login_hint") : undefined;
  return {
    ...(hint === undefined ? {} : { login_hint: hint }),
    ...(asked.get("prompt") === "select_account"
      ? { prompt: chooserOf((await provider.metadata())["prompt_values_supported"]) }
      : {}),
  };
}

/** A provider without an account chooser is asked to sign in anew: that lets the person choose, too. */
function chooserOf(supported: unknown): string {
  return Array.isArray(supported) && !supported.includes("select_account")
    ? "login"
    : "select_account";
}
