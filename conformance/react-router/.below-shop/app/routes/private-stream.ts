import { setTimeout as pause } from "node:timers/promises";
import { textStream } from "../text-stream";

export function loader() {
  async function* parts() {
    for (const part of ["one ", "two ", "three"]) {
      yield part;
      await pause(100);
    }
  }
  const headers = { "Content-Type": "text/event-stream" };
  return new Response(textStream(parts()), { headers });
}
