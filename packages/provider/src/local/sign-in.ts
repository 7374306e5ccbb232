import type { IncomingMessage, ServerResponse } from "node:http";
import type { Interaction, InteractionResult, Provider } from "oidc-provider";
import { readBody } from "../http/request-body.ts";
import { signInOverPage } from "./pages/error-page.ts";
import { sendPage } from "./pages/send-page.ts";
import { signInPage } from "./pages/sign-in-page.ts";
import type { Person } from "./people/sample-people.ts";

/**
 * Answers the sign-in page's address: GET shows it, POST takes the choice and sends the browser on.
 *
 * A consent that was asked for is given without a page.
 */
export async function signIn(
  provider: Provider,
  people: readonly Person[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const interaction = await pendingSignIn(provider, request, response);
  if (interaction === undefined) return sendPage(response, 400, signInOverPage());
  if (interaction.prompt.name === "consent") {
    return provider.interactionFinished(request, response, { consent: {} });
  }
  const view = await viewOf(provider, people, interaction);
  if (request.method !== "POST") return sendPage(response, 200, signInPage(view));
  const result = resultOf(new URLSearchParams(await readBody(request)), people);
  if (result === undefined) return sendPage(response, 400, signInPage(view));
  return provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  });
}

async function pendingSignIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Interaction | undefined> {
  try {
    return await provider.interactionDetails(request, response);
  } catch {
    return undefined;
  }
}

async function viewOf(
  provider: Provider,
  people: readonly Person[],
  { uid, params, session }: Interaction,
): Promise<Parameters<typeof signInPage>[0]> {
  const clientID = String(params["client_id"]);
  const client = await provider.Client.find(clientID);
  const redirectURI = text(params["redirect_uri"]);
  return {
    appName: client?.clientName ?? clientID,
    action: `/interaction/${uid}`,
    appOrigin: redirectURI === undefined ? undefined : new URL(redirectURI).origin,
    people,
    hint: text(params["login_hint"]),
    current: session?.accountId,
    organization: text(params["organization"]),
  };
}

/** What the person chose; `undefined` when the form names nobody we know. */
function resultOf(form: URLSearchParams, people: readonly Person[]): InteractionResult | undefined {
  if (form.has("cancel")) return { error: "access_denied" };
  const sub = form.get("person");
  if (sub === null || !people.some((person) => person.sub === sub)) return undefined;
  return { login: { accountId: sub }, select_account: {} };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
