import { defineHandler } from "nitro";

export default defineHandler(() => "For members");
