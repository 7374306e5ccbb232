import { defineHandler } from "nitro";

export default defineHandler(async ({ req }) => `${(await req.arrayBuffer()).byteLength} bytes`);
