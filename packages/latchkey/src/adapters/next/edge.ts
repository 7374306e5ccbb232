/**
 * Replaces `latchkey/next` in bundles for Next's Edge runtime, which lacks parts of Node.js.
 *
 * @throws {Error} with the change to make
 */
export function latchkey(): never {
  throw new Error(
    'latchkey/next runs on Node.js, not on the Edge runtime of Next. Call the file proxy.ts instead of middleware.ts, or let middleware.ts export config with runtime: "nodejs". A route handler or a page leaves out runtime = "edge".',
  );
}
