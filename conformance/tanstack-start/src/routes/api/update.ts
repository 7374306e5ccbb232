import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/api/update")({
  server: {
    handlers: {
      POST: async ({ context: { auth }, request }) => {
        const { theme } = (await request.json()) as { theme: string };
        await auth.update((session) => ({ ...session, theme: "none" }));
        const session = await auth.update((before) => ({ ...before, theme }));
        return Response.json({ theme: session?.["theme"] });
      },
    },
  },
});
