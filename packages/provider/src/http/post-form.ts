import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:http";
import { request as requestOverTLS } from "node:https";

/**
 * Posts a form and returns the response, without its body and without following a redirect.
 *
 * `fetch` cannot trust a certificate for a single request.
 *
 * @param caCertificate the certificate of an https server, in PEM.
 */
export async function postForm(
  url: string,
  form: URLSearchParams,
  headers: Readonly<Record<string, string>>,
  caCertificate: string | undefined,
): Promise<IncomingMessage> {
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  const options = { method: "POST", headers: { ...type, ...headers }, agent: false };
  const posted: ClientRequest = url.startsWith("https:")
    ? requestOverTLS(url, { ...options, ca: caCertificate })
    : request(url, options);
  const responded = once(posted, "response");
  posted.end(form.toString());
  const [response] = await responded;
  return response.resume();
}
