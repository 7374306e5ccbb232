import type { RequestAuth } from "../src/host/request-auth.ts";
import type { Auth } from "../src/host/auth.ts";
import { cookieHeader, type Jar, jarAfter } from "./browser/cookie-jar.ts";

/** The result of a handler, and the response sent. */
export interface Handled<T> {
  /** `undefined` if the request did not reach the handler. */
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

/** The same for a browser with these cookies; `next` are its cookies afterwards. */
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
