import { redirect } from "next/navigation";
import { auth, route } from "../../../auth";
import { textStream } from "../../../text-stream";

export const POST = route(async (_request: Request, { params }: RouteContext<"/changed/[way]">) => {
  const { accessToken, update } = await auth();
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  const { way } = await params;
  if (way === "fail") throw new Error("broken");
  if (way === "redirect") redirect("/private");
  return new Response(textStream(parts()));
});

async function* parts() {
  yield "one ";
  yield "two";
}
