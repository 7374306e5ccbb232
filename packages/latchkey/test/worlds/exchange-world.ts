import { jarAfter, jarOf } from "../browser/cookie-jar.ts";
import {
  type AccessTokenRequest,
  type Auth,
  createAuth,
  type Options,
  type RequestAuth,
} from "../../src/index.ts";
import { tokenExchange, type TokenExchangeOptions } from "../../src/token-exchange/index.ts";
import { askWith } from "../handle-request.ts";
import { startWorld } from "./world.ts";

export const mail = {
  identifier: "https://mail.example/api",
  audience: "mail",
  scopes: ["mail.read", "mail.send"],
};
export const orders = { identifier: "https://orders.example/api", scopes: ["orders.read"] };
export const forMail = { audience: "mail", scopes: ["mail.read"] };
export const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

type Form = Readonly<Record<string, string>>;
type Body = Readonly<Record<string, unknown>>;

interface Change {
  /** Replaces the response to an exchange; `undefined` leaves it to the provider. */
  readonly respond?: ((form: Form, count: number) => Response | undefined) | undefined;
  /** Changes the body of the response to an exchange. */
  readonly change?: ((body: Body, form: Form) => Body) | undefined;
}

/** A signed-in user of an app at the local provider, which exchanges tokens. */
export async function exchangeWorld({
  form = "rfc8693",
  respond = () => undefined,
  change = (body) => body,
  options = {},
}: Partial<TokenExchangeOptions> & Change & { readonly options?: Partial<Options> } = {}) {
  const calls: Form[] = [];
  async function recordingFetch(input: string, init: RequestInit): Promise<Response> {
    const sent = Object.fromEntries(init.body instanceof URLSearchParams ? init.body : []);
    const isExchange = sent["subject_token"] !== undefined || sent["assertion"] !== undefined;
    if (!isExchange) return fetch(input, init);
    calls.push(sent);
    const own = respond(sent, calls.length);
    if (own !== undefined) return own;
    const response = await fetch(input, init);
    const body = (await response.json()) as Body;
    return Response.json(change(body, sent), { status: response.status });
  }

  const world = await startWorld({
    options: { scope: "openid offline_access", fetch: recordingFetch, ...options },
    provider: { client: { tokenExchange: true }, resources: [mail, orders] },
  });
  const another = (): Auth =>
    createAuth({ ...world.options, tokenExchange: tokenExchange({ form }) });
  const auth = another();
  const browser = await world.signedIn();
  let jar = jarOf(await browser.cookies());

  async function ask<T>(handle: (its: RequestAuth) => T | Promise<T>, at = auth): Promise<T> {
    const inside = async (its: RequestAuth) => ({ value: await handle(its) });
    const { made, response } = await askWith(at, jar, inside, "/api/page");
    jar = jarAfter(response.headers.getSetCookie(), jar);
    if (made === undefined) throw new Error(`answered with ${response.status}`);
    return made.value;
  }

  const tokenFor = (exchange: AccessTokenRequest["exchange"], at = auth) =>
    ask((its) => its.accessToken({ exchange: exchange ?? {} }), at);
  const errorOf = (request: AccessTokenRequest) =>
    ask((its) => its.accessToken(request).catch((error: unknown) => error));
  return { world, auth, another, ask, tokenFor, errorOf, calls, jar: () => jar };
}

export const goodBody = {
  access_token: "exchanged",
  issued_token_type: accessTokenType,
  token_type: "Bearer",
  expires_in: 300,
};
