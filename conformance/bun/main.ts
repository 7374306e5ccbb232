import { pages } from "@latchkey/pages";
import { authFromEnvironment } from "latchkey/node";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";
import { pagesOptions } from "../suite/pages-example.ts";

const auth = authFromEnvironment(Bun.env, {
  ...apiOptions(Bun.env),
  ...pagesOptions(Bun.env, pages),
});

const app = createApp(auth, {
  upstream: Bun.env["UPSTREAM"] ?? "",
  file: () => Bun.file("files/a.txt").text(),
});
Bun.serve({ hostname: "localhost", port: Number(Bun.env["PORT"]), fetch: app });
