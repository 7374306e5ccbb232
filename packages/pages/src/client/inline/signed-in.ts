import { tidyAddress } from "./address.ts";
import { copyOnClick } from "./copying.ts";
import { goBack } from "./leaving.ts";
import { localTimes } from "./local-times.ts";
import { hideBrokenPictures } from "./pictures.ts";

/*
 * Stands at the end of every page for signed-in people and runs before the first paint. Pages work
 * without it.
 */
localTimes(document);
tidyAddress(document, location, history);
copyOnClick(document, navigator);
goBack(document, history);
hideBrokenPictures(document);
