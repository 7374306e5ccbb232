/**
 * Replaces `latchkey/next` in bundles for browsers, which a client component may import.
 *
 * @throws {Error} with the import to use there
 */
export function latchkey(): never {
  throw new Error(
    'latchkey/next runs on the server, and a file with "use client" imports it, perhaps by way of auth.ts. Use useUser, useSession or SignedIn of latchkey/react there, or let a server component hand over what the client component needs.',
  );
}
