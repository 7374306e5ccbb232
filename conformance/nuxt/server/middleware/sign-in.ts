import { latchkey } from "latchkey/nuxt";

export default defineEventHandler(latchkey(auth));
