import { latchkey } from "latchkey/next";

/** A sign-in whose proxy is in the wrong place for Next. */
const { auth, route } = latchkey({ publicPaths: ["/outside/alone"] });

export const GET = route(async () => Response.json((await auth()).user));
