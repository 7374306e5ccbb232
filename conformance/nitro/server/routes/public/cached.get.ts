import { defineHandler } from "nitro";

export default defineHandler(({ context }) => `Kept for ${context.auth.user?.name}`);
