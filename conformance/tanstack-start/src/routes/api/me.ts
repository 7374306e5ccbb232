import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/api/me")({
  server: {
    handlers: {
      GET: ({ context }) => {
        const { user, session } = context.auth.require();
        return Response.json({ ...user, theme: session["theme"] });
      },
    },
  },
});
