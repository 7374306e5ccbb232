import { authFromEnvironment } from "latchkey/node";
import { latchkeyPlugin } from "latchkey/nuxt";

export default defineNitroPlugin(latchkeyPlugin(authFromEnvironment()));
