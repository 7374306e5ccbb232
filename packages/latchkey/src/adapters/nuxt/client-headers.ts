/** Says which page the browser shows, and that its client goes where {@link locationHeader} leads. */
export const pageHeader = "x-latchkey-page";

/** Where the person must go before they get what was asked for. */
export const locationHeader = "x-latchkey-location";
