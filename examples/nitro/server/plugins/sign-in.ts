import { latchkeyPlugin } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";
import { definePlugin } from "nitro";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });

export default definePlugin(latchkeyPlugin(auth, { prerender: import.meta.prerender }));
