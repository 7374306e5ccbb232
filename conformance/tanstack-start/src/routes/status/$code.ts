import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/status/$code")({
  server: {
    handlers: { GET: ({ params }) => new Response(null, { status: Number(params.code) }) },
  },
});
