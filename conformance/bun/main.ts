import { authFromEnvironment } from "latchkey/node";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";

const auth = authFromEnvironment(Bun.env, apiOptions(Bun.env));

const app = createApp(auth, {
  upstream: Bun.env["UPSTREAM"] ?? "",
  file: () => Bun.file("files/a.txt").text(),
});
Bun.serve({ hostname: "localhost", port: Number(Bun.env["PORT"]), fetch: app });
