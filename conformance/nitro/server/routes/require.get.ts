import { defineHandler } from "nitro";

export default defineHandler(({ context }) => `Member ${context.auth.require().user.name}`);
