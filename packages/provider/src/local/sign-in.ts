import type { IncomingMessage, ServerResponse } from "node:http";
import type { Interaction, InteractionResult, Provider } from "oidc-provider";
import { readBody } from "../http/request-body.ts";
import { requestedACR } from "./acr.ts";
import { basePathOf } from "./issuer-path.ts";
import { sendPage } from "./pages/send-page.ts";
import type { AppLink } from "./clients.ts";
import { plainPage } from "./pages/plain-page.ts";
import { signInPage, type SignInView } from "./pages/sign-in-page.ts";
import { chooseSpeech } from "./words/speech.ts";
import type { User } from "./users/sample-users.ts";

/** What the sign-in page needs. */
export interface SignInDeps {
  readonly protocol: Provider;
  readonly issuer: string;
  readonly customer: string | undefined;
  readonly users: readonly User[];
  readonly apps: readonly AppLink[];
}

/**
 * Responds at the address of the sign-in page: GET shows the page, POST reads the choice and
 * redirects the browser.
 *
 * Grants the consent for an application without a page.
 */
export async function signIn(
  { protocol, issuer, customer, users, apps }: SignInDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await pendingSignIn(protocol, request, response);
  const acceptLanguage = request.headers["accept-language"];
  if (interaction === undefined) {
    return sendPage(
      response,
      400,
      plainPage(chooseSpeech({ acceptLanguage, customer }), "ended", apps),
    );
  }
  if (interaction.prompt.name === "consent") {
    return protocol.interactionFinished(request, response, { consent: {} });
  }
  const uiLocales = interaction.params["ui_locales"];
  const speech = chooseSpeech({ uiLocales, acceptLanguage, customer });
  const basePath = basePathOf(issuer);
  const view = { speech, basePath, users, ...(await viewOf(protocol, interaction)) };
  if (request.method !== "POST") return sendPage(response, 200, signInPage(view));
  const form = new URLSearchParams(await readBody(request));
  const result = resultOf(form, users, requestedACR(interaction.params));
  if (result === undefined) return sendPage(response, 400, signInPage(view));
  return protocol.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  });
}

async function pendingSignIn(
  protocol: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | undefined> {
  try {
    return await protocol.interactionDetails(request, response);
  } catch {
    return undefined;
  }
}

async function viewOf(
  protocol: Provider,
  { uid, params, session }: Interaction,
): Promise<Omit<SignInView, "speech" | "basePath" | "users">> {
  const clientID = String(params["client_id"]);
  const client = await protocol.Client.find(clientID);
  const redirectURI = text(params["redirect_uri"]);
  return {
    appName: client?.clientName ?? clientID,
    interaction: uid,
    formTargets: redirectURI === undefined ? [] : formTargets(new URL(redirectURI)),
    hint: text(params["login_hint"]),
    current: session?.accountId,
    organization: text(params["organization"]),
  };
}

/**
 * Where the form may end. A browser checks every redirect after it, and the callback may lead on to
 * a single-page app at another origin, which no setting names.
 */
function formTargets({ origin, protocol, hostname }: URL): readonly string[] {
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1";
  const others = isLocal
    ? ["localhost:*", "*.localhost:*", "127.0.0.1:*"].map((host) => `${protocol}//${host}`)
    : [];
  return [origin, ...(isLocal ? others : [protocol])];
}

/** What the person chose; `undefined` when the form names no known person. */
function resultOf(
  form: URLSearchParams,
  users: readonly User[],
  acr: string | undefined,
): InteractionResult | undefined {
  if (form.has("cancel")) return { error: "access_denied" };
  const sub = form.get("person");
  if (sub === null || !users.some((person) => person.sub === sub)) return undefined;
  const login = { accountId: sub, ...(acr === undefined ? {} : { acr }) };
  return { login, select_account: {}, create: {} };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
