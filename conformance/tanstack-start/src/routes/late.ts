import { setTimeout as pause } from "node:timers/promises";
import { createFileRoute } from "@tanstack/react-router";
import type { RequestAuth } from "latchkey";
import { textStream } from "../server/text-stream";

async function* parts(auth: RequestAuth) {
  yield "begun, ";
  await pause(100);
  yield await updateLate(auth);
}

async function updateLate(auth: RequestAuth): Promise<string> {
  try {
    await auth.update((session) => ({ ...session, theme: "late" }));
    return "updated";
  } catch (error) {
    return `refused: ${String(error)}`;
  }
}

export const Route = createFileRoute("/late")({
  server: {
    handlers: { GET: ({ context }) => new Response(textStream(parts(context.auth))) },
  },
});
