import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/cacheable")({
  server: {
    handlers: {
      GET: ({ context, request }) => {
        const reads = new URL(request.url).searchParams.has("read");
        const name = reads ? context.auth.user?.name : "everybody";
        return new Response(`For ${name ?? "strangers"}`, {
          headers: { "Cache-Control": "public, max-age=600, immutable", Vary: "Accept-Encoding" },
        });
      },
    },
  },
});
