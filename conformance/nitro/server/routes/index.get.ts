import { defineHandler } from "nitro";

export default defineHandler(({ context }) => `Hello ${context.auth.user?.name ?? "stranger"}`);
