import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

import { formLimit } from "../../http/form.ts";

const place = Symbol("dropped body");

interface KeptRequest extends IncomingMessage {
  [place]?: Buffer[];
}

/**
 * Keeps the body which a host drops from now on. Express discards it before it sends an error page,
 * and the form for after a better sign-in is in there.
 */
export function keepDroppedBody(incoming: KeptRequest): void {
  incoming.once("resume", () => {
    if (incoming.listenerCount("data") > 0) return;
    const chunks = (incoming[place] = [] as Buffer[]);
    let length = 0;
    incoming.on("data", (chunk: Buffer | string) => {
      // With the first chunk beyond the limit, the reader knows the form is too large.
      if (length <= formLimit) chunks.push(Buffer.from(chunk as string));
      length += chunk.length;
    });
  });
}

/** Returns the kept body, `undefined` if the host dropped none. */
export function droppedBodyOf({ [place]: chunks }: KeptRequest): Readable | undefined {
  return chunks && Readable.from(chunks);
}
