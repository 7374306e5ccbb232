import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/api/token")({
  server: {
    handlers: {
      GET: async ({ context, request }) => {
        const refresh = new URL(request.url).searchParams.has("refresh");
        return Response.json({ accessToken: await context.auth.accessToken({ refresh }) });
      },
    },
  },
});
