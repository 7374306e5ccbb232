import { defineHandler } from "nitro";
import { getRouterParam, redirect } from "nitro/h3";
import { textStream } from "../../text-stream";

async function* parts() {
  yield "one ";
  yield "two";
}

export default defineHandler(async (event) => {
  const { accessToken, update } = event.context.auth;
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  const way = getRouterParam(event, "way");
  if (way === "fail") throw new Error("broken");
  return way === "redirect" ? redirect("/private") : textStream(parts());
});
