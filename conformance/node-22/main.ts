import { pages } from "@latchkey/pages";
import { serve } from "@hono/node-server";
import { authFromEnvironment } from "latchkey/node";
import { readFileSync } from "node:fs";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";
import { pagesOptions } from "../suite/pages-example.ts";

const auth = authFromEnvironment(process.env, {
  ...apiOptions(process.env),
  ...pagesOptions(process.env, pages),
});

const app = createApp(auth, {
  upstream: process.env["UPSTREAM"] ?? "",
  file: () => readFileSync("files/a.txt", "utf8"),
});
serve({ fetch: app, hostname: "localhost", port: Number(process.env["PORT"]) });
console.log(`Node ${process.version}`);
