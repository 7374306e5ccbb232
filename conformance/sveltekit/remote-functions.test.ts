import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

import {
  choosePerson,
  expectText,
  sharedChromium,
  untilHydrated,
} from "../suite/browser-window.ts";
import { actionsOf, navigation, script } from "../suite/expectations.ts";
import { hostFolder, sharedWorld, worldOfTest } from "../suite/world.ts";

/** The id of a remote function, as the build has named it. */
function remoteId(name: string): string {
  const folder = path.join(hostFolder, "build/client");
  const [found] = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => readFileSync(path.join(folder, file), "utf8").match(/\w+\/\w+/g) ?? [])
    .filter((id) => id.endsWith(`/${name}`));
  if (found === undefined) throw new Error(`The build has no ${name}.`);
  return found;
}

const worlds = [
  ["that need a sign-in", {}],
  [
    "that are for everybody and refuse a stranger",
    { LATCHKEY_PUBLIC_PATHS: "/ /cacheable /public/ /_app/" },
  ],
] as const;

describe.each(worlds)("remote functions of SvelteKit %s", (_, environment) => {
  const world = sharedWorld({ environment });
  const newWindow = sharedChromium();
  const shown = "/public/remote?tab=2";

  /** As SvelteKit's client sends it from this page. */
  const call = (name: string, headers = {}, body?: string) =>
    world().send({
      method: body === undefined ? "GET" : "POST",
      target: `/_app/remote/${remoteId(name)}`,
      headers: {
        ...script,
        referer: world().baseURL + shown,
        // The adapter assumes https unless a header names the scheme.
        origin: world().baseURL.replace("http:", "https:"),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });

  test("lead a query of data to login, and back to the page [AD-013, AD-030]", async () => {
    const { status, body, header } = await call("memberName");
    const { data } = JSON.parse(body) as { readonly data: string };
    const returnTo = encodeURIComponent(shown);
    expect([status, JSON.parse(data)]).toEqual([
      200,
      [{ redirect: 1 }, `${world().baseURL}/api/auth/login?returnTo=${returnTo}`],
    ]);
    expect(header("cache-control")).toBe("private, no-store");
  });

  test("answer a command of a stranger 401, and do not execute it [AD-015, AD-030]", async () => {
    const headers = { "content-type": "application/json" };
    const { status, body } = await call("actRemotely", headers, '{"payload":""}');
    expect([status, JSON.parse(body)]).toMatchObject([401, { error: "not_authenticated" }]);
    expect(await actionsOf(world())).toBe(0);
  });

  test("lead a live query to login, and back to the page [AD-013, AD-030]", async () => {
    const { status, body, header } = await call("watchMember", { accept: "text/event-stream" });
    expect([status, JSON.parse(body)]).toMatchObject([
      200,
      {
        type: "redirect",
        location: `${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(shown)}`,
      },
    ]);
    expect(header("cache-control")).toBe("private, no-store");
  });

  test("break a live query off when its session has ended, and no cache keeps it [AD-003, AD-022, AD-023]", async () => {
    const left = unwatched();
    const cookie = await (await world().signedIn("person-clara")).cookies();
    const response = await watch("watchMember", cookie);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession\.t=/)]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const reader = response.body?.getReader();
    expect(await nextOf(reader)).toMatch(/Clara \w+ 1/);
    await world().provider.endSessions("person-clara");
    await expect(untilEnd(reader)).rejects.toThrow("terminated");
    await expect.poll(unwatched).toBe(left + 1);
    expect(world().complaints()).toEqual([]);
  });

  test("end a live query in Chromium with the session: the page leads to login and back [AD-013]", async () => {
    const { page } = await newWindow();
    await page.goto(`${world().baseURL}/api/auth/login?returnTo=${encodeURIComponent(shown)}`);
    await choosePerson(page);
    await page.waitForURL(world().baseURL + shown);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Watch" }).click();
    await page.getByText(/Watched: Ada Okafor \d/).waitFor();
    await world().provider.endSessions("person-ada");
    await choosePerson(page);
    await page.waitForURL(world().baseURL + shown);
  });

  const watch = (name: string, cookie = "") =>
    fetch(`${world().baseURL}/_app/remote/${remoteId(name)}`, {
      headers: { ...script, accept: "text/event-stream", cookie },
    });

  const unwatched = () =>
    world()
      .log()
      .match(/Nobody watches/g)?.length ?? 0;

  test("lead a person in Chromium to login and back, and the console stays empty [AD-013]", async () => {
    const { page, complaints } = await newWindow();
    await page.goto(world().baseURL + shown);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Ask" }).click();
    await choosePerson(page);
    await page.waitForURL(world().baseURL + shown);
    await untilHydrated(page);
    await page.getByRole("button", { name: "Ask" }).click();
    await expectText(page, "Done by Ada Okafor");
    expect(complaints).toEqual([]);
  });
});

test("a live query for everybody serves a stranger whose refusal it has caught [AD-030]", async () => {
  const world = await worldOfTest({ environment: worlds[1][1] });
  const { body } = await fetch(`${world.baseURL}/_app/remote/${remoteId("watchAnybody")}`, {
    headers: { ...script, accept: "text/event-stream" },
  });
  const reader = body?.getReader();
  expect(await nextOf(reader)).toContain("stranger 1");
  expect(await nextOf(reader)).toContain("stranger 2");
  await reader?.cancel();
});

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function nextOf(reader: Reader | undefined): Promise<string> {
  return new TextDecoder().decode((await reader?.read())?.value);
}

async function untilEnd(reader: Reader | undefined): Promise<void> {
  while ((await reader?.read())?.done === false);
}

test("the form of a remote function is guarded by its own address, whatever page it is posted to [AD-011, AD-015]", async () => {
  const world = await worldOfTest();
  const post = (target: string) =>
    world.send({
      method: "POST",
      target: `${target}?/remote=${encodeURIComponent(remoteId("sendForm"))}`,
      headers: {
        ...navigation,
        origin: world.baseURL,
        "content-type": "application/x-www-form-urlencoded",
      },
    });
  for (const target of ["/", "/public/remote"]) {
    const response = await post(target);
    expect([target, response.status, response.header("refresh")]).toEqual([
      target,
      200,
      expect.stringContaining("/api/auth/login?"),
    ]);
  }
  expect(await actionsOf(world)).toBe(0);
});
