import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

import { formLimit } from "../../http/form.ts";

const place = Symbol("dropped body");

interface KeptRequest extends IncomingMessage {
  [place]?: Buffer[];
}

/**
 * Keeps what a host drops of the body from now on. Express lets it flow to nobody before it sends an error page, and a form
 * that waits for a better sign-in is in there.
 */
export function keepDroppedBody(incoming: KeptRequest): void {
  incoming.once("resume", () => {
    if (incoming.listenerCount("data") > 0) return;
    const chunks = (incoming[place] = [] as Buffer[]);
    let length = 0;
    incoming.on("data", (chunk: Buffer | string) => {
      // With the chunk that is too much, whoever reads it knows that it is too large.
      if (length <= formLimit) chunks.push(Buffer.from(chunk as string));
      length += chunk.length;
    });
  });
}

/** What was kept; `undefined` where nothing was dropped. */
export function droppedBodyOf({ [place]: chunks }: KeptRequest): Readable | undefined {
  return chunks && Readable.from(chunks);
}
