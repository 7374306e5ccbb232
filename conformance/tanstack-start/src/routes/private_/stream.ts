import { setTimeout as pause } from "node:timers/promises";
import { createFileRoute } from "@tanstack/react-router";
import { textStream } from "../../server/text-stream";

async function* parts() {
  for (const part of ["one ", "two ", "three"]) {
    yield part;
    await pause(100);
  }
}

export const Route = createFileRoute("/private_/stream")({
  server: {
    handlers: {
      GET: () => {
        const headers = { "Content-Type": "text/event-stream" };
        return new Response(textStream(parts()), { headers });
      },
    },
  },
});
