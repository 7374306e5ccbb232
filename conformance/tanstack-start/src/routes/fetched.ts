import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/fetched")({
  server: { handlers: { GET: () => fetch(`${process.env["UPSTREAM"]}/`) } },
});
