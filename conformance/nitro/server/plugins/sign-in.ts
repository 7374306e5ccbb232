import { latchkeyPlugin } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";
import { definePlugin } from "nitro";

export default definePlugin(
  latchkeyPlugin(authFromEnvironment(), { prerender: import.meta.prerender }),
);
