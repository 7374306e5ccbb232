/** What a server sends as events arrive (HTML, 9.2): `null` where the client has gone. */
export interface EventStream {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Sends a message of one word. */
  send(word: string): void;
  /** Ends the stream; the client comes back after its `retry`. Once is enough. */
  end(): void;
}

export interface EventStreamOptions {
  /** Milliseconds after which a client comes back when the stream has ended. */
  readonly retryMs: number;
  /** Milliseconds between comments: proxies cut connections on which nothing comes. */
  readonly commentEveryMs: number;
  /** Called once, whoever has ended it. */
  readonly onEnd: () => void;
}

const encoder = new TextEncoder();

export function createEventStream(options: EventStreamOptions): EventStream {
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null;
  const write = (text: string) => controller?.enqueue(encoder.encode(text));
  const timer = setInterval(() => write(":\n\n"), options.commentEveryMs);

  function finish(): void {
    if (controller === null) return;
    controller = null;
    clearInterval(timer);
    options.onEnd();
  }

  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(given) {
      controller = given;
      write(`retry: ${options.retryMs}\n\n`);
    },
    cancel: finish,
  });
  return {
    body,
    send: (word) => write(`data: ${word}\n\n`),
    end() {
      controller?.close();
      finish();
    },
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
  add(stream: EventStream): void;
  delete(stream: EventStream): void;
  /** Ends all, and lets none be opened any more. */
  endAll(): void;
}

export function createEventStreams(atMost: number): EventStreams {
  const streams = new Set<EventStream>();
  let isEnding = false;
  return {
    size: () => streams.size,
    isFull: () => isEnding || streams.size >= atMost,
    add: (stream) => void streams.add(stream),
    delete: (stream) => void streams.delete(stream),
    endAll() {
      isEnding = true;
      for (const stream of streams) stream.end();
    },
  };
}
