import { setTimeout as pause } from "node:timers/promises";
import type { RequestAuth } from "latchkey";
import { defineHandler } from "nitro";
import { textStream } from "../text-stream";

async function* parts(person: RequestAuth) {
  yield "begun, ";
  await pause(100);
  try {
    await person.update((session) => ({ ...session, theme: "late" }));
    yield "updated";
  } catch (error) {
    yield `refused: ${String(error)}`;
  }
}

export default defineHandler(({ context }) => textStream(parts(context.auth)));
