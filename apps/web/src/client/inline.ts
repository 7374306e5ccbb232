import { keepHash, tidyAddress } from "./address.ts";
import { copyOnClick, makeSecretOnClick } from "./copying.ts";
import { leaveOnce, goBack } from "./leaving.ts";
import { localTimes } from "./local-times.ts";

/*
 * Stands at the end of every page and runs before the first paint. It makes good pages better; none needs it.
 */
localTimes(document);
tidyAddress(document, location, history);
keepHash(document, location);
copyOnClick(document, navigator);
makeSecretOnClick(document, crypto);
leaveOnce(document, window);
goBack(document, history);
