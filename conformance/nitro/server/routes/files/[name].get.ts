import { readFile } from "node:fs/promises";
import path from "node:path";
import { defineHandler } from "nitro";
import { getRouterParam } from "nitro/h3";

export default defineHandler((event) =>
  readFile(path.join("files", path.basename(getRouterParam(event, "name") ?? ""))),
);
