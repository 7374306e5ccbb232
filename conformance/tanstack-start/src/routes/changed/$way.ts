import { createFileRoute, redirect } from "@tanstack/react-router";
import { textStream } from "../../server/text-stream";

export const Route = createFileRoute("/changed/$way")({
  server: {
    handlers: {
      POST: async ({ context: { auth }, params }) => {
        const { accessToken, update } = auth;
        const adding = (letter: string) =>
          update((session) => ({ ...session, theme: [session["theme"], letter].join("") }));
        await Promise.all([adding("a"), accessToken({ refresh: true }), adding("b")]);
        if (params.way === "fail") throw new Error("broken");
        if (params.way === "redirect") throw redirect({ to: "/private", statusCode: 302 });
        return new Response(textStream(parts()));
      },
    },
  },
});

async function* parts() {
  yield "one ";
  yield "two";
}
