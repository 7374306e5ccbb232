import type { IncomingMessage, ServerResponse } from "node:http";

import type { Auth } from "../../auth.ts";
import type { Passage } from "../../host/receive.ts";
import { replaceErrorPage } from "../node-error-page.ts";
import { commitAtHead } from "../node-head.ts";
import { hostRequest } from "../node-request.ts";

/** The passage of a request as `pages/` has it: in `getServerSideProps` and in API routes. */
export type PagesPassage = (
  incoming: IncomingMessage,
  outgoing: ServerResponse,
) => Promise<Passage>;

export function createPagesPassage({ host }: Auth): PagesPassage {
  const passages = new WeakMap<IncomingMessage, Promise<Passage>>();

  async function open(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Passage> {
    const passage = await host.receiveUnguarded((origin) => hostRequest(incoming, origin));
    commitAtHead(passage, outgoing);
    replaceErrorPage(passage, outgoing);
    return passage;
  }

  return (incoming, outgoing) => {
    const opening = passages.get(incoming) ?? open(incoming, outgoing);
    passages.set(incoming, opening);
    return opening;
  };
}
