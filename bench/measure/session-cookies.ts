import { optionsFromEnvironment } from "latchkey";
import { signedInCookies } from "latchkey/testing";
import { person } from "./person.ts";

const count = 800;

/**
 * `Cookie` headers of many people, sealed as our servers do it, each about as long as that of the person who signs
 * in. There are so many that a server which remembered the latest hundreds would know none when it returns.
 *
 * @param environment - of a server; all of ours share secret, issuer and client
 */
export async function sessionCookies(
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const options = { ...optionsFromEnvironment(environment).options, log: () => undefined };
  return Promise.all(
    Array.from({ length: count }, (_, number) =>
      signedInCookies({ options, session: sessionOf(`person-${number + 10_000}`) }),
    ),
  );
}

/** What a sign-in at the provider leaves in a session: claims and three tokens, about 2.6 kB of JSON. */
function sessionOf(sub: string) {
  return {
    user: { ...person, sub, sid: randomText(43) },
    idToken: randomText(idTokenLength),
    accessToken: randomText(43),
    accessTokenScope: "openid profile email",
    accessTokenExpiresAt: Math.floor(Date.now() / 1000) + 86_400,
    refreshToken: randomText(43),
  };
}

const idTokenLength = 1500;

function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Buffer.from(bytes).toString("base64url").slice(0, length);
}
