import {
  type Auth,
  createAuth,
  type LogEvent,
  type MaybePromise,
  type Options,
  type RequestAuth,
} from "../../src/index.ts";
import { sitesOfTest } from "../second-site.ts";
import { cookieHeader, type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { createQuickProvider, quickClient, type QuickProvider } from "./quick-provider.ts";

/** An app and a provider without sockets, for tests with thousands of cases. */
export interface QuickApp {
  readonly auth: Auth;
  readonly options: Options;
  readonly baseURL: string;
  readonly provider: QuickProvider;
  readonly events: LogEvent[];
  /** Sends a request to one of our routes; throws if it reaches the page. */
  ask(address: string, init?: QuickRequest): Promise<Response>;
  /** Sends a request to any address; `page` handles the requests passed on by sign-in. */
  open(address: string, init?: QuickRequest, page?: Page): Promise<Response>;
  /** Login, and the provider's response to it: what the browser then sends. */
  begin(query?: string, jar?: Jar): Promise<Begun>;
  /** Sends the response of the provider to the callback. */
  finish(begun: Begun): Promise<Response>;
  /** Signs in, and returns the cookies of the browser afterwards. */
  signIn(jar?: Jar): Promise<Jar>;
}

/** A page behind sign-in. */
export type Page = (auth: RequestAuth) => MaybePromise<Response>;

export interface QuickRequest {
  readonly method?: string;
  readonly jar?: Jar;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

export interface Begun {
  readonly jar: Jar;
  readonly nonce: string;
  readonly state: string;
  readonly code: string;
}

export function createQuickApp(
  given: Partial<Options> = {},
  provider: QuickProvider = createQuickProvider(given.clock ?? Date.now),
): QuickApp {
  const events: LogEvent[] = [];
  const options: Options = {
    baseURL: "http://localhost:3000",
    issuerBaseURL: provider.issuer,
    ...quickClient,
    idTokenSigningAlg: "HS256",
    secret: "a-secret-of-the-quick-app-0123456789abcdef",
    log: (event) => events.push(event),
    fetch: provider.fetch,
    ...given,
  };
  const [baseURL = ""] = [options.baseURL].flat();
  const auth = createAuth({ ...options, baseURL: sitesOfTest(options.baseURL) });

  const open = (address: string, init: QuickRequest = {}, page: Page = thePage) =>
    auth.respond(quickRequest(baseURL, address, init), (request) => page(auth.of(request)));

  const ask = (address: string, init: QuickRequest = {}) =>
    open(address, init, () => {
      throw new Error(`${address} is no route of ours`);
    });

  async function begin(query = "", jar: Jar = {}): Promise<Begun> {
    const login = await ask(`/api/auth/login${query}`, { jar });
    const location = login.headers.get("location");
    if (location === null) throw new Error(`login returned ${login.status}`);
    const { searchParams } = new URL(location);
    const nonce = searchParams.get("nonce") ?? "";
    return {
      jar: jarAfter(login.headers.getSetCookie(), jar),
      nonce,
      state: searchParams.get("state") ?? "",
      code: provider.newCode(nonce),
    };
  }

  const finish = ({ jar, code, state }: Begun) =>
    ask(`/api/auth/callback?${new URLSearchParams({ code, state }).toString()}`, { jar });

  return {
    auth,
    options,
    baseURL,
    provider,
    events,
    ask,
    open,
    begin,
    finish,
    async signIn(jar) {
      const begun = await begin("", jar);
      return jarAfter((await finish(begun)).headers.getSetCookie(), begun.jar);
    },
  };
}

const pageText = "the page behind sign-in";

function thePage(): Response {
  return new Response(pageText);
}

/** Whether a response comes from the page, passed on by sign-in. */
export async function isThePage(response: Response): Promise<boolean> {
  return (await response.text()) === pageText;
}

export function quickRequest(
  baseURL: string,
  address: string,
  { jar = {}, body, headers, ...init }: QuickRequest = {},
): Request {
  const cookie = cookieHeader(jar);
  return new Request(new URL(address, baseURL), {
    ...init,
    headers: { ...(cookie === "" ? {} : { cookie }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
}
