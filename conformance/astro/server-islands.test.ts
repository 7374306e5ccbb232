import { describe, expect, test } from "vitest";

import type { WireResponse } from "../../packages/latchkey/test/hosts/world/wire.ts";
import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { expectSessionHeaders, navigation, script } from "../suite/expectations.ts";
import { publicVariable } from "../suite/rows/world.ts";
import { host, sharedWorld } from "../suite/world.ts";

const address = "/public/islands";

/** The addresses of the islands of the page, by the names of their components. */
function islandsOf({ body }: WireResponse): Readonly<Record<string, string>> {
  const found = body.matchAll(/fetch\("(\/_server-islands\/(\w+)\?[^"]+)"/g);
  return Object.fromEntries([...found].map(([, island = "", name = ""]) => [name, island]));
}

describe("an island rendered later by the server of Astro, in a browser", () => {
  const world = sharedWorld();
  const newWindow = sharedChromium();

  async function pageFor(person: string) {
    const window = await newWindow();
    await window.page.goto(`${world().baseURL}/api/auth/login?returnTo=${address}`);
    await choosePerson(window.page, person);
    return window;
  }

  test("shows the user, and does not come if it refuses the user [AD-030]", async () => {
    const { page, complaints } = await pageFor("Ada Okafor");
    await expectText(page, "Sent to Ada Okafor");
    await expectText(page, "Member Ada Okafor");
    expect(complaints).toEqual([]);
    const { page: other } = await pageFor("Ben Castellan");
    await expectText(other, "Sent to Ben Castellan");
    await expectText(other, "No member");
  });

  test("does not come after the session has ended, and the console stays empty [AD-013]", async () => {
    const { page, complaints } = await pageFor("Ada Okafor");
    await world().provider.endSessions("person-ada");
    await page.goto(world().baseURL + address);
    await untilHydrated(page);
    await expectText(page, "Nobody yet");
    await expectText(page, "No member");
    expect(complaints).toEqual([]);
  });
});

describe("the address of an island", () => {
  const rules = { [address]: { claim: { name: "Ada Okafor" } } };
  const world = sharedWorld({ environment: { LATCHKEY_ACCESS_RULES: JSON.stringify(rules) } });
  const open = sharedWorld({
    environment: publicVariable({ ...host, publicPaths: "/public/ /_server-islands/" }),
  });

  async function islandsSeenByAda() {
    const cookie = await (await world().signedIn()).cookies();
    return islandsOf(await world().send({ target: address, headers: { cookie } }));
  }

  test("is guarded as its own, in every spelling [AD-010, AD-011]", async () => {
    const { Person = "" } = await islandsSeenByAda();
    const spellings = [
      Person,
      Person.replace("/_", "//_"),
      Person.replace("_server", "%5Fserver"),
      Person.replace("/Person", "/public/../Person"),
      Person.replace("/Person", "%2FPerson"),
      Person.replace("?", "/?"),
    ];
    for (const target of spellings) {
      for (const headers of [{}, navigation, script, { "x-latchkey-client": "astro" }]) {
        for (const method of ["GET", "POST"]) {
          const { body } = await world().send({ method, target, headers });
          expect([target, body.includes("Sent to")]).toEqual([target, false]);
        }
      }
    }
  });

  test("shows what its asker may see, whatever page it was copied from [AD-010, AD-028]", async () => {
    const { Person = "", Member = "" } = await islandsSeenByAda();
    const cookie = await (await world().signedIn("person-ben")).cookies();
    const ask = (target: string) => world().send({ target, headers: { cookie } });
    expect((await ask(address)).status).toBe(403);
    const person = await ask(Person);
    expect([person.status, person.body]).toEqual([
      200,
      expect.stringContaining("Sent to Ben Castellan"),
    ]);
    expectSessionHeaders(host, person, 1);
    const member = await ask(Member);
    expect([member.status, member.body.includes("Member Ben")]).toEqual([403, false]);
  });

  test("comes for all users if it is public, and its own rule counts [AD-030]", async () => {
    const { Person = "", Member = "" } = islandsOf(await open().send({ target: address }));
    expect((await open().send({ target: Person })).body).toContain("Sent to a stranger");
    const { status, body } = await open().send({ target: Member, headers: script });
    expect([status, body]).toEqual([401, expect.stringContaining("not_authenticated")]);
  });
});
