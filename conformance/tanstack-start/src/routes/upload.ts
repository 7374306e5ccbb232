import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/upload")({
  server: {
    handlers: {
      POST: async ({ request }) =>
        new Response(`${(await request.arrayBuffer()).byteLength} bytes`),
    },
  },
});
