import type { AdmittedRequest } from "../../src/host/admitted-request.ts";
import type { ToRequest } from "../../src/host/host.ts";
import type { ApiApp } from "./api-app.ts";

/** A request to a target, as an adapter passes it to sign-in. */
export function requestTo(
  target: string,
  headers: Readonly<Record<string, string>> = {},
): ToRequest {
  return (origin) => ({
    method: "GET",
    url: origin + target,
    target,
    headers: new Headers(headers),
    body: async () => null,
  });
}

/**
 * Sends a request through the guard, and returns it as its host holds it.
 *
 * @param outer - the outer request, for a request of the app to itself
 */
export async function admittedBy(
  { auth }: Pick<ApiApp, "auth">,
  toRequest: ToRequest,
  outer?: AdmittedRequest,
): Promise<AdmittedRequest> {
  const received = await auth.host.receive({}, toRequest, outer);
  if ("admitted" in received) return received.admitted;
  throw new Error(`it was answered with ${received.response.status}`);
}
