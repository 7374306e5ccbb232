import { building } from "$app/env";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/sveltekit";

export const handle = latchkey(authFromEnvironment(), { building });
