import { defineErrorHandler } from "nitro";

export default defineErrorHandler(({ status }) =>
  status === 404
    ? new Response("No such page", { status })
    : new Response("Sorry, that broke", { status: 500 }),
);
