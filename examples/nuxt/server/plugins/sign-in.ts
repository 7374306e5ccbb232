import { authFromEnvironment } from "latchkey/node";
import { latchkeyPlugin } from "latchkey/nuxt";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });

export default defineNitroPlugin(latchkeyPlugin(auth, { prerender: import.meta.prerender }));
