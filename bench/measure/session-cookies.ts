import { type Options, optionsFromEnvironment } from "latchkey";
import { signedInCookies } from "latchkey/testing";
import { person } from "./person.ts";

const count = 800;

/**
 * Returns `Cookie` headers of many users, encrypted as our servers do, and about as long as that of
 * a real sign-in. A cache of some hundred sessions would find none of them again.
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

/**
 * Returns `Cookie` headers of users of many customers, each with a connection of its own.
 *
 * @param environment - of the server: these sessions are for its address alone
 */
export async function customerCookies(
  environment: Readonly<Record<string, string>>,
  { count: users, customers }: { readonly count: number; readonly customers: number },
): Promise<readonly string[]> {
  const { options } = optionsFromEnvironment(environment);
  const { issuerBaseURL, clientSecret } = options;
  return Promise.all(
    Array.from({ length: users }, (_, number) => {
      const connection = `customer-${number % customers}`;
      const settings = { issuerBaseURL, clientID: connection, clientSecret };
      const connections = { [connection]: settings } as NonNullable<Options["connections"]>;
      return signedInCookies({
        options: { ...options, identity: "issuer+sub", connections, log: () => undefined },
        session: sessionOf(`person-${number + 10_000}`),
        connection,
      });
    }),
  );
}

/**
 * The session of a sign-in at the provider: claims and two tokens, about 2.6 kB of JSON. It has no
 * refresh token, so it stays in the cookie even if the server has a store.
 */
function sessionOf(sub: string) {
  return {
    user: { ...person, sub, sid: randomText(43) },
    idToken: randomText(idTokenLength),
    accessToken: randomText(43),
    accessTokenScope: "openid profile email",
    accessTokenExpiresAt: Math.floor(Date.now() / 1000) + 86_400,
  };
}

const idTokenLength = 1500;

function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Buffer.from(bytes).toString("base64url").slice(0, length);
}
