/** Names the page on screen, and announces a client that follows {@link locationHeader}. */
export const pageHeader = "x-latchkey-page";

/** The address to open before the requested data. */
export const locationHeader = "x-latchkey-location";
