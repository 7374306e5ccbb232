import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/sign-up")({
  server: {
    handlers: {
      GET: ({ context }) =>
        context.auth.login({
          returnTo: "/private",
          params: { screen_hint: "signup", max_age: 600 },
        }),
    },
  },
});
