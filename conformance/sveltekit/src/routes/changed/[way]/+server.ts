import { redirect } from "@sveltejs/kit";
import { textStream } from "#lib/server/text-stream.ts";
import type { RequestHandler } from "./$types";

export const POST: RequestHandler = async ({ locals, params }) => {
  const { accessToken, update } = locals.auth;
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  if (params.way === "fail") throw new Error("broken");
  if (params.way === "redirect") redirect(303, "/private");
  return new Response(textStream(parts()));
};

async function* parts() {
  yield "one ";
  yield "two";
}
