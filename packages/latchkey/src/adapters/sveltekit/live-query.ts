import type { AdmittedRequest } from "../../host/admitted-request.ts";

/** Live queries are streams of events. */
export function isEventStream({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/**
 * Waits for the first event of a stream, which may run for hours. `null` for any other response.
 */
export async function firstEventOf(response: Response): Promise<string | null> {
  if (!isEventStream(response)) return null;
  const reader = response.clone().body?.getReader();
  const first = await reader?.read();
  // Settles with the stream itself, whose source may throw then.
  reader?.cancel().catch(() => undefined);
  return new TextDecoder().decode(first?.value);
}

/**
 * Aborts a live query, which runs while its page is open, when its session ends. The client then
 * requests it again, and the guard and the function decide anew.
 */
export async function abortOnSessionEnd(
  response: Response,
  { onSessionEnd }: Pick<AdmittedRequest, "onSessionEnd">,
): Promise<Response> {
  const { body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const ended = Promise.withResolvers<void>();
  const forget = await onSessionEnd(ended.resolve);
  // However it ends: by the function, the client or the session.
  void reader.closed.catch(() => undefined).then(forget);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      void ended.promise.then(() => {
        controller.error(new Error("The session has ended."));
        // Its source may throw here, and no other code handles that.
        return reader.cancel().catch(() => undefined);
      });
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(broken, response);
}
