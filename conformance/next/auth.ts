import { latchkey } from "latchkey/next";

import { apiOptions } from "./api-options";

export const { auth, initialSession, proxy, route } = latchkey(apiOptions());
