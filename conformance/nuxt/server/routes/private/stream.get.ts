import { setTimeout as pause } from "node:timers/promises";
import { textStream } from "../../text-stream";

async function* parts() {
  for (const part of ["one ", "two ", "three"]) {
    yield part;
    await pause(100);
  }
}

export default defineEventHandler((event) => {
  setHeader(event, "Content-Type", "text/event-stream");
  return sendStream(event, textStream(parts()));
});
