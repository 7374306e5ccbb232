import type { Exchange } from "../request/exchange.ts";
import type { Config } from "../config/config.ts";
import type { Runtime } from "../config/runtime.ts";
import { createEventStream, eventStreamHeaders, type EventStreams } from "../http/event-stream.ts";
import { isSameOrigin } from "../http/fetch-metadata.ts";
import { type BodySink, empty, type ResponseParts, text } from "../http/response-parts.ts";
import { activeSession } from "../session/read-session.ts";
import type { EndWatch } from "../session/marks/end-watch.ts";
import type { SessionHeader } from "../session/session.ts";

const hourMs = 3_600_000;
/** Spreads the return of clients whose streams ended together. */
const shortestRetryMs = 1000;
const longestRetryMs = 5000;

/** What notifies open pages. */
interface Notifier extends Pick<Runtime, "clock" | "fraction"> {
  readonly config: Pick<Config, "origin" | "streams">;
  readonly streams: EventStreams;
  /** `null` without a store. */
  readonly ended: EndWatch | null;
}

/**
 * Notifies an open page when its session ends elsewhere, by a stream of server-sent events. It
 * renews nothing. It ends with the session as known from the request, and after an hour; the
 * browser then reconnects by itself. 204 prevents this: there is no session, or streams are off. A
 * session has one stream, the newest, so sessions do not compete for streams.
 */
export async function sessionEvents(
  notifier: Notifier,
  exchange: Exchange,
): Promise<ResponseParts> {
  const { config, streams, ended } = notifier;
  const isOff = config.streams === 0 || ended === null;
  if (isOff || !isSameOrigin(exchange.request, config.origin)) return empty(204);
  const session = activeSession(await exchange.read());
  if (session === null) return empty(204);
  if (streams.isFull(session.header.id)) {
    return text("Too many streams are open.", 503, [["Retry-After", "60"]]);
  }
  const body = (sink: BodySink) => open(notifier, session.header, sink);
  return { status: 200, headers: eventStreamHeaders, body };
}

/** @returns what ends it when the client has gone */
function open(notifier: Notifier, header: SessionHeader, sink: BodySink): () => void {
  const { streams, ended, clock, fraction } = notifier;
  const { id } = header;
  const stream = createEventStream(sink, {
    retryMs: Math.round(shortestRetryMs + fraction() * (longestRetryMs - shortestRetryMs)),
    lastsMs: Math.min(hourMs, Math.max(0, header.exp * 1000 - clock())),
    onEnd() {
      forget?.();
      streams.delete(id, stream);
    },
  });
  const forget = ended?.watch(header, () => {
    stream.send("ended");
    stream.end();
  });
  streams.add(id, stream);
  return stream.leave;
}
