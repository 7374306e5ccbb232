import { latchkey } from "latchkey/astro";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });

export const onRequest = latchkey(auth);
