import { serve } from "@hono/node-server";
import type { AddressInfo } from "node:net";

type Answer = (request: Request) => Promise<Response>;

/** A server on loopback whose answers are given later: its address must be known before sign-in is set up. */
export interface LoopbackApp {
  readonly baseURL: string;
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export async function startLoopbackApp(): Promise<LoopbackApp> {
  let answer: Answer = () => Promise.resolve(new Response("not ready", { status: 500 }));
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const starting = serve(
      { fetch: (request) => answer(request), port: 0, hostname: "localhost" },
      () => resolve(starting),
    );
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://localhost:${port}`,
    answerWith(next) {
      answer = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
