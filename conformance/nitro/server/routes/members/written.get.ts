import { defineHandler } from "nitro";

export default defineHandler(() =>
  import.meta.prerender ? "Written by the build" : "Made when it was asked for",
);
