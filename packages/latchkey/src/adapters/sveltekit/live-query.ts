import type { AdmittedRequest } from "../../host/host.ts";

/**
 * A live query goes on while its page is open. It is aborted when the session ends with which it was opened: the client
 * then asks again, and the guard and the function decide anew.
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
  // Whoever ends it: the function, the client or the session.
  void reader.closed.catch(() => undefined).then(forget);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      void ended.promise.then(() => {
        controller.error(new Error("The session has ended."));
        // Whoever made it may throw there: nobody else would handle that.
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
