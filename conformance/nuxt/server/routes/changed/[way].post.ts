import { textStream } from "../../text-stream";

export default defineEventHandler(async (event) => {
  const { accessToken, update } = event.context.auth;
  const adding = (letter: string) =>
    update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
  await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
  const way = getRouterParam(event, "way");
  if (way === "fail") throw new Error("broken");
  return way === "redirect"
    ? sendRedirect(event, "/private")
    : sendStream(event, textStream(parts()));
});

async function* parts() {
  yield "one ";
  yield "two";
}
