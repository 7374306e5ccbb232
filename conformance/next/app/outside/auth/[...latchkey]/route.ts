import { latchkey } from "latchkey/next";

/** The auth routes without a proxy: another sign-in of this app, below another path. */
const { handlers } = latchkey({ routes: { prefix: "/outside/auth" } });

export const { GET, POST } = handlers;
