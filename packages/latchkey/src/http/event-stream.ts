import type { BodySink } from "./response-parts.ts";

/** What a server sends as events arrive (HTML, 9.2). */
export interface EventStream {
  /** Sends a message of one word. */
  send(word: string): void;
  /** Ends the stream; the client comes back after its `retry`. Once is enough. */
  end(): void;
  /** The client has gone. */
  leave(): void;
}

export interface EventStreamOptions {
  /** Milliseconds after which a client comes back when the stream has ended. */
  readonly retryMs: number;
  /** Milliseconds after which the stream ends by itself. */
  readonly lastsMs: number;
  /** Called once, whoever has ended it. */
  readonly onEnd: () => void;
}

/** Milliseconds between comments: proxies cut connections on which nothing comes. */
const commentEveryMs = 20_000;

export function createEventStream(sink: BodySink, options: EventStreamOptions): EventStream {
  let isOpen = true;
  let timer: ReturnType<typeof setTimeout>;

  function leave(): void {
    if (!isOpen) return;
    isOpen = false;
    clearTimeout(timer);
    options.onEnd();
  }

  function end(): void {
    if (isOpen) sink.end();
    leave();
  }

  /** A comment from time to time, and at last the end. */
  function wait(leftMs: number): void {
    timer =
      leftMs > commentEveryMs
        ? setTimeout(comment, commentEveryMs, leftMs - commentEveryMs)
        : setTimeout(end, leftMs);
  }

  function comment(leftMs: number): void {
    sink.write(":\n\n");
    wait(leftMs);
  }

  sink.write(`retry: ${options.retryMs}\n\n`);
  wait(options.lastsMs);
  return {
    send(word) {
      if (isOpen) sink.write(`data: ${word}\n\n`);
    },
    end,
    leave,
  };
}

/** No cache keeps it, no proxy changes it or waits for more of it. */
export const eventStreamHeaders = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["Cache-Control", "no-store, no-transform"],
  ["X-Accel-Buffering", "no"],
  ["X-Content-Type-Options", "nosniff"],
] as const;

/** The streams that are open, no more than a limit. */
export interface EventStreams {
  /** Whether no stream may be opened now. */
  isFull(): boolean;
  size(): number;
  /** Ends it where no more may be opened. */
  add(stream: EventStream): void;
  delete(stream: EventStream): void;
  /** Ends all, and lets none be opened any more. */
  endAll(): void;
}

export function createEventStreams(atMost: number): EventStreams {
  const streams = new Set<EventStream>();
  let isEnding = false;
  const isFull = () => isEnding || streams.size >= atMost;
  return {
    size: () => streams.size,
    isFull,
    add(stream) {
      if (isFull()) stream.end();
      else streams.add(stream);
    },
    delete: (stream) => void streams.delete(stream),
    endAll() {
      isEnding = true;
      for (const stream of streams) stream.end();
    },
  };
}
