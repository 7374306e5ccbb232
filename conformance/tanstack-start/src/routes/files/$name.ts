import { readFile } from "node:fs/promises";
import path from "node:path";
import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/files/$name")({
  server: {
    handlers: {
      GET: async ({ params }) =>
        new Response(await readFile(path.join("files", path.basename(params.name)), "utf8")),
    },
  },
});
