import { defineErrorHandler } from "nitro";

export default defineErrorHandler(
  ({ status }) => new Response(status === 404 ? "No such page" : "Sorry, that broke", { status }),
);
