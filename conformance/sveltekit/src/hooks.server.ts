import { pages } from "@latchkey/pages";
import { building } from "$app/env";
import { authFromEnvironment } from "latchkey/node";
import { latchkey } from "latchkey/sveltekit";

const screens = pages({ name: "Harbour", accent: "#7a1f5c", logo: "/logo.svg" });
const auth = authFromEnvironment(
  process.env,
  process.env["WITH_PAGES"] === undefined ? {} : { pages: screens },
);

export const handle = latchkey(auth, { building });
