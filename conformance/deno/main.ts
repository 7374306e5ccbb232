import { authFromEnvironment } from "latchkey/node";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";

const auth = authFromEnvironment(Deno.env.toObject(), apiOptions(Deno.env.toObject()));

const app = createApp(auth, {
  upstream: Deno.env.get("UPSTREAM") ?? "",
  file: () => Deno.readTextFile("files/a.txt"),
});
Deno.serve({ hostname: "localhost", port: Number(Deno.env.get("PORT")) }, app);
