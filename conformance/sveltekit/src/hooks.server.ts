import { building } from "$app/env";
import { latchkey } from "latchkey/sveltekit";
import { auth } from "#lib/server/auth.ts";

export const handle = latchkey(auth, { building });
