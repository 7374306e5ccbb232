import { authContext } from "latchkey/react-router";
import type { Route } from "./+types/devices-end";

export async function action({ context }: Route.ActionArgs) {
  await context.get(authContext).endDevices("all");
  return new Response("Signed out everywhere");
}
