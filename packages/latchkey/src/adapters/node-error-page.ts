import type { ServerResponse } from "node:http";

import type { Passage } from "../host/receive.ts";
import { write } from "./node-shape.ts";

/**
 * Puts our own response in the place of the error page that a host makes of an error of ours: whatever
 * begins to be sent with an error status is swallowed.
 */
export function replaceErrorPage(passage: Passage, outgoing: ServerResponse): void {
  passage.onRefused((error) => {
    const { writeHead, write: writeChunk, end } = outgoing;
    const restore = () => Object.assign(outgoing, { writeHead, write: writeChunk, end });

    async function replace(): Promise<void> {
      Object.assign(outgoing, {
        writeHead: () => outgoing,
        write: () => true,
        end: () => outgoing,
      });
      const parts = await passage.recover(error);
      restore();
      if (parts !== null) write(parts, outgoing);
    }

    /** Stands before one way of sending a response. */
    const before =
      (send: Send, instead: unknown) =>
      (...given: unknown[]): unknown => {
        const status = send === writeHead ? Number(given[0]) : outgoing.statusCode;
        if (status >= 400 && !outgoing.headersSent) {
          void replace();
          return instead;
        }
        restore();
        return send.apply(outgoing, given);
      };
    Object.assign(outgoing, {
      writeHead: before(writeHead as Send, outgoing),
      write: before(writeChunk as Send, true),
      end: before(end as Send, outgoing),
    });
  });
}

type Send = (...given: unknown[]) => unknown;
