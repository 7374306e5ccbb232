import { beforeAll, describe, expect, test } from "vitest";

import { deriveKeyRing, type KeyRing } from "../../src/crypto/key-ring.ts";
import { openedText } from "../sessions/opened-text.ts";
import { hostileReturnTos } from "../hostile-return-to.ts";
import { longTests } from "../long-tests.ts";
import { type Begun, createQuickApp, type QuickApp } from "../worlds/quick-app.ts";

const secret = "a-secret-of-the-return-address-tests-0123456789";
let app: QuickApp;
let keys: KeyRing;
let values: readonly string[];
beforeAll(async () => {
  app = createQuickApp({ secret });
  keys = deriveKeyRing([secret], "transaction");
  values = hostileReturnTos(app.baseURL);
});

/** The expression of RFC 3986, appendix B: another reader than the URL parser of browsers. */
const rfc3986 = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)/;

/** Returns why one of the readers takes this address for another origin, or `null`. */
function wayOutOfOrigin(location: string): string | null {
  const base = new URL(app.baseURL);
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  if (/[\u0000-\u001f\u007f-\u009f\\\u2028\u2029]/.test(location)) return "control character";
  const url = new URL(location, base);
  if (url.origin !== base.origin || url.username + url.password !== "") return "another origin";
  const [, scheme, authority] = rfc3986.exec(location) ?? [];
  if (`${scheme}:` !== base.protocol || authority !== base.host) return "another authority";
  return /^\/api\/auth(?:\/|$)/.test(url.pathname) ? "an auth route" : null;
}

/**
 * Does the same without our origin in the address: the path alone must not be an address either.
 */
function wayOut(location: string): string | null {
  const { pathname } = new URL(location, app.baseURL);
  const isAddress = /^\/(?:[/\\]|%(?:25)*(?:2f|5c))/i.test(pathname);
  return wayOutOfOrigin(location) ?? (isAddress ? "a second slash" : null);
}

const encoded = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`;

/** Returns the return address stored in the transaction of this sign-in. */
async function kept({ jar }: Begun): Promise<string> {
  const opened = openedText(keys, jar["auth_verification"] ?? "");
  const transaction = Object(JSON.parse(opened)) as { readonly returnTo?: string };
  return transaction.returnTo ?? "nothing is kept";
}

async function landing(begun: Begun): Promise<string> {
  const answer = await app.finish(begun);
  return answer.headers.get("location") ?? `answered ${answer.status}`;
}

/** Returns each address outside the app, with the hostile value, for each place of the values. */
async function waysOut(
  list: readonly string[],
  place: (value: string, index: number) => Promise<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [index, value] of list.entries()) {
    const location = await place(value, index);
    const fault = wayOut(location);
    if (fault !== null) found.push(`${fault}: ${JSON.stringify(value)} led to ${location}`);
  }
  return found;
}

const every = (count: number) => values.filter((_, index) => index % count === 0);

/** `npm run ci` tries all of them. */
const tried = () => (longTests ? values : every(23));

describe("the app prevents hostile return addresses", () => {
  test("as the returnTo of login, every sixteenth to the end of its sign-in [ATK-100, STD-040, ATK-002, ATK-018, ATK-026, ATK-045, ATK-050]", async () => {
    expect(values.length).toBeGreaterThanOrEqual(20_000);
    const found = await waysOut(tried(), async (value, index) => {
      const begun = await app.begin(`?${encoded("returnTo", value)}`);
      return index % 16 === 0 ? landing(begun) : kept(begun);
    });
    expect(found).toEqual([]);
  });

  test("as the target_link_uri of a login that a third party starts (OpenID Connect Core 4) [STD-019, ATK-100, ATK-050]", async () => {
    const iss = encoded("iss", app.provider.issuer);
    const found = await waysOut(tried(), async (value, index) => {
      const begun = await app.begin(`?${iss}&${encoded("target_link_uri", value)}`);
      return index % 64 === 0 ? landing(begun) : kept(begun);
    });
    expect(found).toEqual([]);
  });

  test("as a parameter of logout, whatever its name [ATK-100, STD-127]", async () => {
    const found: string[] = [];
    for (const value of every(longTests ? 16 : 368)) {
      for (const name of ["returnTo", "post_logout_redirect_uri", "redirect"]) {
        const answer = await app.ask(`/api/auth/logout?${encoded(name, value)}`);
        const location = new URL(answer.headers.get("location") ?? "about:blank");
        const back = location.searchParams.get("post_logout_redirect_uri");
        if (back !== `${app.baseURL}/_auth/signed-out` || location.origin !== app.provider.issuer) {
          found.push(value);
        }
      }
    }
    expect(found).toEqual([]);
  });
});
