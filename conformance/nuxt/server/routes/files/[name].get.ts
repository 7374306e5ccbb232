import { readFile } from "node:fs/promises";
import path from "node:path";

export default defineEventHandler((event) =>
  readFile(path.join("files", path.basename(getRouterParam(event, "name") ?? "")), "utf8"),
);
