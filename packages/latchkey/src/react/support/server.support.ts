import type { TestClock } from "./clock.support.ts";
import type { Claims } from "../client/claims.ts";
import type { InitialSession } from "../client/session-state.ts";
import type { EndReason, PeekResult } from "../client/wire.ts";

export const ada: Claims = { sub: "ada", name: "Ada Lovelace", email: "ada@example.test" };
export const grace: Claims = { sub: "grace", name: "Grace Hopper", email: "grace@example.test" };

interface TestSession {
  user: Claims;
  createdAt: number;
  updatedAt: number;
  ended?: EndReason;
}

/** A server with the two addresses, and the session of one browser. */
export interface TestServer {
  readonly fetch: typeof fetch;
  /** `me` and `session.json` requests so far, in order. */
  readonly requests: string[];
  /** How the last of them was sent. */
  sent: RequestInit | undefined;
  session: TestSession | null;
  rolling: number;
  absolute: number;
  /** Responds instead of the server, if it returns something. */
  override: ((path: string) => Response | "offline" | undefined) | undefined;
  latencyMs: number;
  now(): number;
  signIn(user: Claims): void;
  /** Any request of the app. */
  use(): void;
  /** What the server knows when it renders a page. */
  initialSession(): InitialSession<Claims>;
}

export function createServer(clock: TestClock, skewSeconds = 0): TestServer {
  const server: TestServer = {
    requests: [],
    sent: undefined,
    session: null,
    rolling: 86_400,
    absolute: 604_800,
    override: undefined,
    latencyMs: 0,
    now: () => Math.floor(clock.now() / 1000 + skewSeconds),
    signIn(user) {
      server.session = { user, createdAt: server.now(), updatedAt: server.now() };
    },
    use() {
      if (server.session) server.session.updatedAt = server.now();
    },
    initialSession() {
      if (!server.session) throw new Error("Nobody is signed in.");
      return { user: server.session.user, now: server.now(), times: timesOf(server) };
    },
    async fetch(input, init) {
      const path = input instanceof Request ? input.url : `${input}`;
      server.requests.push(path);
      server.sent = init;
      clock.settle();
      const override = server.override?.(path);
      if (server.latencyMs) await wait(clock, server.latencyMs, init?.signal);
      if (override === "offline") throw new TypeError("fetch failed");
      return override ?? respond(server, path);
    },
  };
  return server;
}

function wait(clock: TestClock, ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((done, fail) => {
    clock.after(ms, () => {
      clock.settle();
      done();
    });
    signal?.addEventListener("abort", () => {
      clock.settle();
      fail(new DOMException("The time is up.", "AbortError"));
    });
  });
}

function timesOf({ session, rolling, absolute }: TestServer) {
  const { createdAt, updatedAt } = session ?? { createdAt: 0, updatedAt: 0 };
  const [rollingEndsAt, absoluteEndsAt] = [updatedAt + rolling, createdAt + absolute];
  const endsAt = Math.min(rollingEndsAt, absoluteEndsAt);
  return { rollingEndsAt, absoluteEndsAt, endsAt, createdAt, updatedAt };
}

function peekOf(server: TestServer): PeekResult {
  const { session } = server;
  const now = server.now();
  if (!session) return { state: "signed-out", now };
  if (session.ended) return { state: "ended", reason: session.ended, now };
  const times = timesOf(server);
  if (now >= times.absoluteEndsAt) return { state: "ended", reason: "max-age", now };
  if (now >= times.rollingEndsAt) return { state: "ended", reason: "idle", now };
  return { state: "signed-in", now, sub: session.user.sub, ...times };
}

function respond(server: TestServer, path: string): Response {
  const peek = peekOf(server);
  if (path === "/_auth/session.json") return Response.json(peek);
  if (path !== "/api/auth/me") return new Response(null, { status: 404 });
  if (peek.state !== "signed-in") return new Response(null, { status: 204 });
  server.use();
  return Response.json(server.session?.user);
}
