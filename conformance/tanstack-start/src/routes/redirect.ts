import { createFileRoute, redirect } from "@tanstack/react-router";

export const Route = createFileRoute("/redirect")({
  loader: () => {
    throw redirect({ to: "/private", statusCode: 302 });
  },
});
