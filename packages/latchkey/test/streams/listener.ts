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
  streams: 10_000,
  log: () => undefined,
});

/** Of somebody who is signed in, with tokens as large as those of Entra ID or Auth0 with a few claims. */
export function listenerCookies(origin: string): Promise<string> {
  const session = {
    user: { sub: "person-ada", name: "Ada Okafor", email: "ada@example.com" },
    accessToken: "a".repeat(1200),
    idToken: "i".repeat(1000),
    refreshToken: "r".repeat(120),
  };
  return signedInCookies({ options: streamsOptions(origin), session });
}
