import { setTimeout as pause } from "node:timers/promises";
import type { APIRoute } from "astro";
import { textStream } from "../../lib/text-stream";

export const GET: APIRoute = () => {
  async function* parts() {
    for (const part of ["one ", "two ", "three"]) {
      yield part;
      await pause(100);
    }
  }
  return new Response(textStream(parts()), { headers: { "Content-Type": "text/event-stream" } });
};
