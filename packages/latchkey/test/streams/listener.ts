import type { Options } from "latchkey";
import { memoryStore } from "latchkey/memory";
import { signedInCookies } from "latchkey/testing";

/** Of the app whose memory is measured. */
export const streamsOptions = (origin: string): Options => ({
  baseURL: origin,
  issuerBaseURL: "http://localhost:4000",
  clientID: "streams",
  clientSecret: "a-client-secret-of-many-characters",
  secret: "a-secret-of-more-than-thirty-two-characters",
  production: false,
  store: memoryStore(),
  // The process of the test and the app do not share the store.
  session: { stateful: false },
  streams: 10_000,
  log: () => undefined,
});

/**
 * Returns cookies of a signed-in user, with tokens of a realistic size (Entra ID or Auth0 with a
 * few claims).
 */
export function listenerCookies(origin: string): Promise<string> {
  const session = {
    user: { sub: "person-ada", name: "Ada Okafor", email: "ada@example.com" },
    accessToken: "a".repeat(1200),
    idToken: "i".repeat(1000),
    refreshToken: "r".repeat(120),
  };
  return signedInCookies({ options: streamsOptions(origin), session });
}
