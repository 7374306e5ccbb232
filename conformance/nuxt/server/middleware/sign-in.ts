import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/nuxt";

export default defineEventHandler(latchkey(authFromEnvironment()));
