import { keepHash, tidyAddress } from "./address.ts";
import { copyOnClick, makeSecretOnClick } from "./copying.ts";
import { retryByItself } from "./auto-retry.ts";
import { leaveOnce, goBack } from "./leaving.ts";
import { localTimes } from "./local-times.ts";
import { confirmInOtherTabs } from "./other-tabs.ts";
import { hideBrokenPictures } from "./pictures.ts";

/* Stands at the end of every public page and runs before the first paint. Pages work without it. */
localTimes(document);
keepHash(document, location);
tidyAddress(document, location, history);
copyOnClick(document, navigator);
makeSecretOnClick(document, crypto);
leaveOnce(document, window);
goBack(document, history);
retryByItself(document, window);
confirmInOtherTabs(document, location);
hideBrokenPictures(document);
