import { pages } from "@latchkey/pages";
import { authFromEnvironment } from "latchkey/node";
import { apiOptions } from "../suite/api-example.ts";
import { createApp } from "../suite/fetch-app.ts";
import { pagesOptions } from "../suite/pages-example.ts";

const environment = Deno.env.toObject();
const auth = authFromEnvironment(environment, {
  ...apiOptions(environment),
  ...pagesOptions(environment, pages),
});

const app = createApp(auth, {
  upstream: Deno.env.get("UPSTREAM") ?? "",
  file: () => Deno.readTextFile("files/a.txt"),
});
Deno.serve({ hostname: "localhost", port: Number(Deno.env.get("PORT")) }, app);
