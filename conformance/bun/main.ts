import { authFromEnvironment } from "latchkey/node";
import { createApp } from "../suite/fetch-app.ts";

const auth = authFromEnvironment();

const app = createApp(auth, {
  upstream: Bun.env["UPSTREAM"] ?? "",
  file: () => Bun.file("files/a.txt").text(),
});
Bun.serve({ hostname: "localhost", port: Number(Bun.env["PORT"]), fetch: app });
