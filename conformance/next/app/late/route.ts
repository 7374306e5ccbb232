import { setTimeout as pause } from "node:timers/promises";
import { auth, route } from "../../auth";
import { textStream } from "../../text-stream";

export const GET = route(async () => {
  const { update } = await auth();
  async function* parts() {
    yield "begun, ";
    await pause(100);
    yield await updateLate();
  }
  async function updateLate(): Promise<string> {
    try {
      await update((session) => ({ ...session, theme: "late" }));
      return "updated";
    } catch (error) {
      return `refused: ${String(error)}`;
    }
  }
  return new Response(textStream(parts()));
});
