import { defineHandler } from "nitro";

export default defineHandler(() => "For members, whatever a hook adds");
