import { building } from "$app/env";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/sveltekit";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });

export const handle = latchkey(auth, { building });
