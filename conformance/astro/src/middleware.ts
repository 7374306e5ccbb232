import { latchkey } from "latchkey/astro";
import { auth } from "./auth";

export const onRequest = latchkey(auth);
