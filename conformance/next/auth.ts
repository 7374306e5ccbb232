import { pages } from "@latchkey/pages";
import { latchkey } from "latchkey/next";

const screens = pages({ name: "Harbour", accent: "#7a1f5c", logo: "/logo.svg" });

export const { auth, initialSession, proxy, route } = latchkey(
  process.env["WITH_PAGES"] === undefined ? {} : { pages: screens },
);
