import { latchkey } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";
import { definePlugin } from "nitro";

const auth = authFromEnvironment();

export default definePlugin((nitro) => {
  // The build writes pages ahead for everybody, and has no settings.
  if (import.meta.prerender) return;
  const { fetch } = nitro;
  nitro.fetch = (request) => auth.respond(request, fetch);
  nitro.h3!["~middleware"].unshift(latchkey(auth));
});
