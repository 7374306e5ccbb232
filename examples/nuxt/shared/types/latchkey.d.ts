// The type of `event.context.auth`, in pages as on the server.
export type { Middleware } from "latchkey/nuxt";
