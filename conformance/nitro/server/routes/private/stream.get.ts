import { setTimeout as pause } from "node:timers/promises";
import { defineHandler } from "nitro";
import { textStream } from "../../text-stream";

async function* parts() {
  for (const part of ["one ", "two ", "three"]) {
    yield part;
    await pause(100);
  }
}

export default defineHandler(({ res }) => {
  res.headers.set("Content-Type", "text/event-stream");
  return textStream(parts());
});
