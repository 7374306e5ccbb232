import { type IncomingMessage, ServerResponse } from "node:http";

import type { Auth } from "../../auth.ts";
import type { AdmittedRequest } from "../../host/host.ts";
import { replaceErrorPage } from "../node-http/node-error-page.ts";
import { cookieName, type HeaderList, setCookiesIn } from "../../http/headers.ts";
import { expressRequest, hostRequest } from "../node-http/node-request.ts";
import { commitAtHead, NodeHeaders } from "../node-http/node-response.ts";
import { renewedHeader, targetHeader } from "./handed-on.ts";

/** The admitted request as `pages/` has it: in `getServerSideProps` and in API routes. */
export type PagesRequests = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<AdmittedRequest>;

/** @param replace what becomes of the page that Next makes of an error of ours; by default our response takes its place */
export function createPagesRequests(
  { host }: Auth,
  replace: typeof replaceErrorPage = replaceErrorPage,
): PagesRequests {
  const known = new WeakMap<IncomingMessage, Promise<AdmittedRequest>>();

  async function open(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<AdmittedRequest> {
    const asExpress = expressRequest(incoming);
    // What was asked for: Next has taken the language from it.
    const sent = incoming.headers[targetHeader]?.toString() ?? asExpress.sent;
    const admitted = await host.receiveUnguarded((origin) => ({
      ...hostRequest(incoming, origin, { ...asExpress, sent }),
      isRenewed: incoming.headers[renewedHeader] !== undefined,
    }));
    const commit = (): HeaderList => {
      const headers = admitted.commit();
      replaceCookies(outgoing, setCookiesIn(headers));
      return headers;
    };
    commitAtHead({ ...admitted, commit }, outgoing);
    replace(admitted, outgoing);
    return admitted;
  }

  return (incoming, outgoing) => {
    const opening = known.get(incoming) ?? open(incoming, outgoing);
    known.set(incoming, opening);
    return opening;
  };
}

/**
 * The page's session cookies replace those that the proxy has set on the same response, since the page wrote them
 * later. The `setHeader` that Next gives a response adds the proxy's cookies again.
 */
function replaceCookies(outgoing: ServerResponse, written: readonly string[]): void {
  if (written.length === 0) return;
  const names = new Set(written.map(cookieName));
  const others = new NodeHeaders(outgoing)
    .getSetCookie()
    .filter((line) => !names.has(cookieName(line)));
  ServerResponse.prototype.setHeader.call(outgoing, "Set-Cookie", [...others, ...written]);
}
