import type { ServerResponse } from "node:http";

import type { AdmittedRequest } from "../../host/admitted-request.ts";
import { mayBeErrorPage } from "../../host/refuse.ts";
import type { ResponseParts } from "../../http/response-parts.ts";
import { keepDroppedBody } from "./dropped-body.ts";
import { setHeaders, write } from "./node-response.ts";

/**
 * Replaces a host's error page for an error of ours with our own response. A response with an error
 * status is discarded together with its headers.
 */
export function replaceErrorPage(admitted: AdmittedRequest, outgoing: ServerResponse): void {
  let refusal: unknown;
  let isWatching = false;
  admitted.onRefused((error) => {
    refusal = error;
    if (isWatching) return;
    isWatching = true;
    keepDroppedBody(outgoing.req);
    const headersBefore = { ...outgoing.getHeaders() };
    const { writeHead, write: writeChunk, end } = outgoing;

    async function replace(making: Promise<ResponseParts>): Promise<void> {
      const swallowed = { writeHead: () => outgoing, write: () => true, end: () => outgoing };
      Object.assign(outgoing, swallowed);
      const parts = await making;
      Object.assign(outgoing, { writeHead, write: writeChunk, end });
      for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
      setHeaders(outgoing, headersBefore);
      write(parts, outgoing);
    }

    /** Stands before one way of sending a response. */
    const before =
      (send: Send, instead: unknown) =>
      (...given: unknown[]): unknown => {
        const status = send === writeHead ? Number(given[0]) : outgoing.statusCode;
        const isErrorPage = mayBeErrorPage(status, refusal) && !outgoing.headersSent;
        // Node writes the head inside its own `end`, which then sends the page.
        const isUnderWay =
          send === writeHead && given.length === 1 && status === outgoing.statusCode;
        const making = isErrorPage && !isUnderWay ? admitted.recover(refusal) : null;
        if (making === null) return send.apply(outgoing, given);
        void replace(making);
        return instead;
      };
    Object.assign(outgoing, {
      writeHead: before(writeHead as Send, outgoing),
      write: before(writeChunk as Send, true),
      end: before(end as Send, outgoing),
    });
  });
}

type Send = (...given: unknown[]) => unknown;
