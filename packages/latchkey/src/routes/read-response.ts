import type { HostRequest } from "../http/auth-request.ts";
import { readForm } from "../http/form.ts";
import { collectParameters, type Collected, queryOf } from "../http/parameters.ts";
import { responseParameters } from "../oidc/authorization-response.ts";

/**
 * Reads an authorization response. A parameter in the address of a form response counts as
 * repeated.
 */
export async function readResponse(request: HostRequest): Promise<Collected> {
  const query = collectParameters(queryOf(request), responseParameters);
  if (request.method !== "POST") return query;
  const { parameters, repeated } = collectParameters(await readForm(request), responseParameters);
  return { parameters, repeated: [...repeated, ...query.parameters.keys()] };
}
