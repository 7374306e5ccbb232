import { authContext } from "latchkey/react-router";
import { redirect } from "react-router";
import { textStream } from "../text-stream";
import type { Route } from "./+types/changed";

export async function action({ context, params }: Route.ActionArgs) {
  const { accessToken, update } = context.get(authContext);
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  if (params.way === "fail") throw new Error("broken");
  return params.way === "redirect" ? redirect("/private") : new Response(textStream(parts()));
}

async function* parts() {
  yield "one ";
  yield "two";
}
