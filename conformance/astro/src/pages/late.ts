import { setTimeout as pause } from "node:timers/promises";
import type { APIRoute } from "astro";
import { textStream } from "../lib/text-stream";

export const GET: APIRoute = ({ locals }) => {
  const { auth } = locals;
  async function* parts() {
    yield "begun, ";
    await pause(100);
    yield await updateLate();
  }
  async function updateLate(): Promise<string> {
    try {
      await auth.update((session) => ({ ...session, theme: "late" }));
      return "updated";
    } catch (error) {
      return `refused: ${String(error)}`;
    }
  }
  return new Response(textStream(parts()));
};
