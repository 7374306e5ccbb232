import { authFromEnvironment } from "latchkey/node";
import { latchkeyPlugin } from "latchkey/nuxt";

const auth = authFromEnvironment();

export default defineNitroPlugin(latchkeyPlugin(auth, { prerender: import.meta.prerender }));
