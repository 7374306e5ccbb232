import { wall, type DoorState } from "./door-mark.tsx";

const dots: Readonly<Record<DoorState, string>> = {
  "signed-out": "fill='%238c9299'",
  "signed-in": "fill='%2314a085'",
  ending: "fill='%23e08a00'",
  stopped: "fill='%23d6453c'",
};

/**
 * The favicon with its state light, as a data address: it lies inside the page and costs no
 * request.
 */
export function iconAddress(state: DoorState): string {
  return (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
    "<style>path{fill:%2316191d}@media(prefers-color-scheme:dark){path{fill:%23eceef0}}</style>" +
    `<path fill-rule='evenodd' d='${wall}'/><circle cx='18' cy='20' r='2.5' ${dots[state]}/></svg>`
  );
}
