import { defineHandler } from "nitro";

export default defineHandler(
  ({ context }) => `Private page of ${context.auth.require().user.name}`,
);
