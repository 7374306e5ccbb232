import type { TestClock } from "./clock.support.ts";
import type { Claims, EndedReason, Peek, SeedOf } from "../client/session-state.ts";

export const ada: Claims = { sub: "ada", name: "Ada Lovelace", email: "ada@example.test" };
export const grace: Claims = { sub: "grace", name: "Grace Hopper", email: "grace@example.test" };

interface TestSession {
  user: Claims;
  createdAt: number;
  updatedAt: number;
  ended?: EndedReason;
}

/** The two addresses, over one browser's cookie jar. */
export interface TestServer {
  readonly fetch: typeof fetch;
  /** `me` and `session.json` requests so far, in order. */
  readonly requests: string[];
  /** How the last of them was sent. */
  sent: RequestInit | undefined;
  session: TestSession | null;
  rolling: number;
  absolute: number;
  /** Answers instead of the usual ones. */
  fault: ((path: string) => Response | "offline" | undefined) | undefined;
  latencyMs: number;
  now(): number;
  signIn(user: Claims): void;
  /** Any request of the app. */
  use(): void;
  seed(): SeedOf<Claims>;
}

export function createServer(clock: TestClock, skewSeconds = 0): TestServer {
  const server: TestServer = {
    requests: [],
    sent: undefined,
    session: null,
    rolling: 86_400,
    absolute: 604_800,
    fault: undefined,
    latencyMs: 0,
    now: () => Math.floor(clock.now() / 1000 + skewSeconds),
    signIn(user) {
      server.session = { user, createdAt: server.now(), updatedAt: server.now() };
    },
    use() {
      if (server.session) server.session.updatedAt = server.now();
    },
    seed() {
      if (!server.session) throw new Error("nobody is signed in");
      return { user: server.session.user, now: server.now(), times: timesOf(server) };
    },
    async fetch(input, init) {
      const path = input instanceof Request ? input.url : `${input}`;
      server.requests.push(path);
      server.sent = init;
      clock.stir();
      const fault = server.fault?.(path);
      if (server.latencyMs) await wait(clock, server.latencyMs, init?.signal);
      if (fault === "offline") throw new TypeError("fetch failed");
      return fault ?? answer(server, path);
    },
  };
  return server;
}

function wait(clock: TestClock, ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((done, fail) => {
    clock.after(ms, () => {
      clock.stir();
      done();
    });
    signal?.addEventListener("abort", () => {
      clock.stir();
      fail(new DOMException("too late", "AbortError"));
    });
  });
}

function timesOf({ session, rolling, absolute }: TestServer) {
  const { createdAt, updatedAt } = session ?? { createdAt: 0, updatedAt: 0 };
  const [rollingEndsAt, absoluteEndsAt] = [updatedAt + rolling, createdAt + absolute];
  const endsAt = Math.min(rollingEndsAt, absoluteEndsAt);
  return { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt };
}

function peekOf(server: TestServer): Peek {
  const { session } = server;
  const now = server.now();
  if (!session) return { state: "signed-out", now };
  if (session.ended) return { state: "ended", reason: session.ended, now };
  const times = timesOf(server);
  if (now >= times.absoluteEndsAt) return { state: "ended", reason: "max-age", now };
  if (now >= times.rollingEndsAt) return { state: "ended", reason: "idle", now };
  return { state: "signed-in", now, sub: session.user.sub, ...times };
}

function answer(server: TestServer, path: string): Response {
  const peek = peekOf(server);
  if (path === "/_auth/session.json") return Response.json(peek);
  if (path !== "/api/auth/me") return new Response(null, { status: 404 });
  if (peek.state !== "signed-in") return new Response(null, { status: 204 });
  server.use();
  return Response.json(server.session?.user);
}
