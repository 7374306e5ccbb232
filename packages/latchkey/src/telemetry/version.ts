/** Of this package. */
export const version = "0.0.0";

/** The release of nextjs-auth0 whose cookies we read and write (specification, section 9). */
const wireFormatVersion = "3.7.0";

/** Sent to the provider with every call. */
export const userAgent = `latchkey/${version} (wire format ${wireFormatVersion})`;
