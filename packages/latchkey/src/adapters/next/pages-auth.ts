import type { IncomingMessage, ServerResponse } from "node:http";

import type { Auth } from "../../index.ts";
import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { replaceErrorPage } from "../node-http/node-error-page.ts";
import { type HeaderList, setCookiesIn } from "../../http/headers.ts";
import { expressRequest, hostRequest } from "../node-http/node-request.ts";
import { commitAtHead } from "../node-http/node-response.ts";
import { renewedHeader, replaceCookies, targetHeader } from "./wire.ts";

/** Admits the requests of `pages/`, in `getServerSideProps` and in API routes. */
export type PagesRequests = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<AdmittedRequest>;

/**
 * @param replace - handles the page which Next makes of an error of ours; by default our response
 *   replaces it
 */
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
    // Next has removed the language from `url`.
    const sent = incoming.headers[targetHeader]?.toString() ?? asExpress.sent;
    const admitted = await host.receiveUnguarded((origin) => ({
      ...hostRequest(incoming, origin, { ...asExpress, sent }),
      changes: { isRenewed: incoming.headers[renewedHeader] !== undefined },
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
