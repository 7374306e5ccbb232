import type { Context } from "../../context.ts";
import type { Config } from "../../config/config.ts";
import type { Forbidden } from "../../errors/access-errors.ts";
import type { AuthRequest, HostRequest } from "../../http/auth-request.ts";
import type { RequestTarget } from "../../http/request-target.ts";
import { absolute } from "../../config/addresses.ts";
import { shownAddress } from "./page-address.ts";

export const refusalParameter = "refusal";

/** Our page of a refused rule. All hosts serve what is below the prefix of the auth routes. */
export function refusedPath({ routes }: Pick<Config, "routes">): string {
  return `${routes.prefix}/refused`;
}

/** The address of our page for a refused request. */
export function refusedURL(
  { config, signIns }: Context,
  request: AuthRequest & Pick<HostRequest, "pageClient">,
  target: RequestTarget,
  { unmet }: Forbidden,
): string {
  const returnTo = shownAddress(config, request, target);
  const sealed = signIns.refusalSeal.seal({ returnTo, unmet });
  return `${absolute(config, refusedPath(config))}?${refusalParameter}=${sealed}`;
}
