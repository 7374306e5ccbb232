import { countDownEnds } from "./ending.ts";

/* Stands on pages that say when devices are signed out. Without it they say the same, and stand still. */
countDownEnds(document, window);
