import { pages } from "@latchkey/pages";
import { latchkey } from "latchkey/next";

export const { auth, initialSession, proxy, route } = latchkey({
  publicPaths: ["/"],
  pages: pages({ name: "Latchkey with Next.js" }),
});
