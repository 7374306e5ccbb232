import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/devices/end")({
  server: {
    handlers: {
      POST: async ({ context }) => {
        await context.auth.endDevices("all");
        return new Response("Signed out everywhere");
      },
    },
  },
});
