import type { BodySink } from "./response-parts.ts";

/** What a server sends as events arrive (HTML, 9.2). */
export interface EventStream {
  /** Sends a message of one word. */
  send(word: string): void;
  /** Ends the stream. The client reconnects after `retry`, or after these milliseconds. */
  end(retryMs?: number): void;
  /** The client has gone. */
  leave(): void;
}

export interface EventStreamOptions {
  /** Milliseconds after which a client comes back when the stream has ended. */
  readonly retryMs: number;
  /** Milliseconds after which the stream ends by itself. */
  readonly lastsMs: number;
  /** Called once, whatever ended it. */
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

  function end(retryMs?: number): void {
    if (isOpen && retryMs !== undefined) sink.write(retryAfter(retryMs));
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

  sink.write(retryAfter(options.retryMs));
  wait(options.lastsMs);
  return {
    send(word) {
      if (isOpen) sink.write(`data: ${word}\n\n`);
    },
    end,
    leave,
  };
}

const retryAfter = (ms: number) => `retry: ${ms}\n\n`;

/** No cache keeps it, no proxy changes it or waits for more of it. */
export const eventStreamHeaders = [
  ["Content-Type", "text/event-stream; charset=utf-8"],
  ["Cache-Control", "no-store, no-transform"],
  ["X-Accel-Buffering", "no"],
  ["X-Content-Type-Options", "nosniff"],
] as const;

/** The open streams: one per owner, and no more than a limit. */
export interface EventStreams {
  /** Whether the limit is reached and this owner has to wait. */
  isFull(owner: string): boolean;
  size(): number;
  /**
   * Adds a stream; ends it at the limit. A former stream of the owner ends, and reconnects in a
   * minute at the earliest.
   */
  add(owner: string, stream: EventStream): void;
  delete(owner: string, stream: EventStream): void;
  /**
   * Ends all streams, and from now on each new one: its client reconnects soon, to another
   * instance.
   */
  endAll(): void;
}

/** The pause that keeps two pages from taking the stream from each other all the time. */
const replacedRetryMs = 60_000;

export function createEventStreams(atMost: number): EventStreams {
  const streams = new Map<string, EventStream>();
  let isEnding = false;
  const isFull = (owner: string) => !isEnding && streams.size >= atMost && !streams.has(owner);
  return {
    size: () => streams.size,
    isFull,
    add(owner, stream) {
      if (isEnding || isFull(owner)) return stream.end();
      const former = streams.get(owner);
      streams.set(owner, stream);
      former?.end(replacedRetryMs);
    },
    delete(owner, stream) {
      if (streams.get(owner) === stream) streams.delete(owner);
    },
    endAll() {
      isEnding = true;
      for (const stream of streams.values()) stream.end();
    },
  };
}
