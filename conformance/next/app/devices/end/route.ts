import { auth, route } from "../../../auth";

export const POST = route(async () => {
  await (await auth()).endDevices("all");
  return new Response("Signed out everywhere");
});
