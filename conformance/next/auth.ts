import { latchkey } from "latchkey/next";

export const { auth, initialSession, proxy, route } = latchkey();
