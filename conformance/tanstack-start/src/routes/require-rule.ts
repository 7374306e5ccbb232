import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/require-rule")({
  server: {
    handlers: {
      GET: ({ context }) => {
        const { user } = context.auth.require((session) => session.user.sub === "person-ada");
        return new Response(`Editor ${user.name}`);
      },
    },
  },
});
