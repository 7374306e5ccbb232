import type { APIRoute } from "astro";
import { textStream } from "../../lib/text-stream";

export const POST: APIRoute = async ({ locals, params, redirect }) => {
  const { accessToken, update } = locals.auth;
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  if (params["way"] === "fail") throw new Error("broken");
  return params["way"] === "redirect" ? redirect("/private") : new Response(textStream(parts()));
};

async function* parts() {
  yield "one ";
  yield "two";
}
