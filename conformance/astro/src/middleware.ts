import { latchkey } from "latchkey/astro";
import { authFromEnvironment } from "latchkey/node";

export const onRequest = latchkey(authFromEnvironment());
