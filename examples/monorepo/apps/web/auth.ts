import { latchkey } from "latchkey/next";

export const { auth, proxy } = latchkey();
