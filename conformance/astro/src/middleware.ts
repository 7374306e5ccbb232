import { pages } from "@latchkey/pages";
import { latchkey } from "latchkey/astro";
import { authFromEnvironment } from "latchkey/node";

const screens = pages({ name: "Harbour", accent: "#7a1f5c", logo: "/logo.svg" });
const auth = authFromEnvironment(
  process.env,
  process.env["WITH_PAGES"] === undefined ? {} : { pages: screens },
);

export const onRequest = latchkey(auth);
