import { copyOnClick } from "./copying.ts";

/* Beside `signed-in.ts` on pages with copy buttons. */
copyOnClick(document, navigator);
