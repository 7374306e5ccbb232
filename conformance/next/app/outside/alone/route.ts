import { latchkey } from "latchkey/next";

/** A sign-in whose proxy lies where Next does not look. */
const { auth, route } = latchkey({ publicPaths: ["/outside/alone"] });

export const GET = route(async () => Response.json((await auth()).user));
