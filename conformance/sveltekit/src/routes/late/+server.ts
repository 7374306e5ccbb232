import { setTimeout as pause } from "node:timers/promises";
import { textStream } from "#lib/server/text-stream.ts";
import type { RequestHandler } from "./$types";

export const GET: RequestHandler = ({ locals }) => {
  async function* parts() {
    yield "begun, ";
    await pause(100);
    yield await updateLate();
  }
  async function updateLate(): Promise<string> {
    try {
      await locals.auth.update((session) => ({ ...session, theme: "late" }));
      return "updated";
    } catch (error) {
      return `refused: ${String(error)}`;
    }
  }
  return new Response(textStream(parts()));
};
