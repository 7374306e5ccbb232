import { tidyAddress } from "./address.ts";
import { goBack } from "./leaving.ts";
import { localTimes } from "./local-times.ts";
import { hideBrokenPictures } from "./pictures.ts";

/*
 * Stands at the end of every page for signed-in people and runs before the first paint. Pages work
 * without it.
 */
localTimes(document);
tidyAddress(document, location, history);
goBack(document, history);
hideBrokenPictures(document);
