import type { RequestAuth } from "../src/access/request-auth.ts";
import type { Auth } from "../src/auth.ts";
import { cookieHeader, type Jar, jarAfter } from "./browser/cookie-jar.ts";

/** What a handler has made of a request, and the response that went out. */
export interface Handled<T> {
  /** `undefined` where the request did not reach the handler. */
  readonly made: T | undefined;
  readonly response: Response;
}

/** Sends a request through sign-in to a handler, whose response carries no header of its own. */
export async function handleRequest<T>(
  auth: Auth,
  request: Request,
  handler: (here: RequestAuth) => T | Promise<T>,
): Promise<Handled<T>> {
  let made: T | undefined;
  const response = await auth.respond(request, async (passed) => {
    made = await handler(auth.of(passed));
    return new Response("page");
  });
  return { made, response };
}

/** The same for a browser with these cookies; `next` are those that it has afterwards. */
export async function askWith<T>(
  auth: Auth,
  jar: Jar,
  handler: (here: RequestAuth) => T | Promise<T>,
  path = "/",
): Promise<Handled<T> & { readonly next: Record<string, string> }> {
  const headers = { cookie: cookieHeader(jar) };
  const request = new Request(auth.config.baseURL + path, { headers });
  const handled = await handleRequest(auth, request, handler);
  return { ...handled, next: jarAfter(handled.response.headers.getSetCookie(), jar) };
}
