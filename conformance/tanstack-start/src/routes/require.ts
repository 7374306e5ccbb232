import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/require")({
  server: {
    handlers: {
      GET: ({ context }) => new Response(`Member ${context.auth.require().user.name}`),
    },
  },
});
