import { setTimeout as pause } from "node:timers/promises";
import { textStream } from "#lib/server/text-stream.ts";

export const GET = () => {
  async function* parts() {
    for (const part of ["one ", "two ", "three"]) {
      yield part;
      await pause(100);
    }
  }
  return new Response(textStream(parts()), { headers: { "Content-Type": "text/event-stream" } });
};
