import { authContext } from "latchkey/react-router";
import { setTimeout as pause } from "node:timers/promises";
import { textStream } from "../text-stream";
import type { Route } from "./+types/late";

export function loader({ context }: Route.LoaderArgs) {
  const auth = context.get(authContext);
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
}
