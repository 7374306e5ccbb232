import { Hono } from "hono";
import { createAuth, type Options } from "latchkey";
import { latchkey } from "latchkey/hono";
import { memoryStore } from "latchkey/memory";
import { signedInCookies } from "latchkey/testing";
import { expect, test } from "vitest";

import { onlyEnglish } from "../../messages/catalogue.ts";
import { createVocabulary } from "../../messages/vocabulary.ts";
import { createLiveWords } from "../../rendering/live-words.ts";
import { assetsForTests } from "../../rendering/page-assets.support.ts";
import type { RenderContext } from "../../rendering/render-context.ts";
import { addAccountPages } from "../account/account-route.ts";
import type { PageEnvironment } from "../page-deps.ts";

const baseURL = "https://app.example.com";
const vocabulary = createVocabulary({ app: "A", provider: "P", host: "h" }, onlyEnglish);
const paths = { login: "/l", logout: "/o", me: "/m", session: "/s", events: "/e", pages: "" };
const rendering: RenderContext = {
  site: {
    app: "Harbour",
    baseURL,
    host: "app.example.com",
    root: "",
    homeURL: `${baseURL}/`,
    links: [],
    loginURL: `${baseURL}/api/auth/login`,
    logoutURL: `${baseURL}/api/auth/logout`,
    pictureSources: [],
    development: false,
  },
  vocabulary,
  liveWords: createLiveWords(vocabulary, onlyEnglish),
  assets: assetsForTests,
  paths,
  isLive: false,
  now: () => Math.floor(Date.now() / 1000),
};

/** Opens the account page of an app; returns its status, and the keys that were read on the way. */
async function openAccount(change: Partial<Options>, isDown = (_keys: string) => false) {
  const read: string[] = [];
  const store = memoryStore();
  const counting = {
    ...store,
    get: (keys: readonly string[]) => {
      read.push(keys.map((key) => key.split("|", 1)[0]).join(" "));
      if (isDown(keys.join())) throw new Error("The store is down.");
      return store.get(keys);
    },
    members: (index: string) => {
      read.push(`members of ${index.split("|", 1)[0]}`);
      return store.members(index);
    },
  };
  const options: Options = {
    baseURL,
    issuerBaseURL: "https://id.example.com",
    clientID: "app",
    clientSecret: "a client secret",
    secret: "a-secret-of-more-than-thirty-two-characters",
    store: counting,
    session: { stateful: true },
    activity: true,
    log: () => undefined,
    ...change,
  };
  const auth = createAuth(options);
  const app = new Hono<PageEnvironment>().use(latchkey(auth));
  addAccountPages(app);
  const session = { user: { sub: "person-ada" } };
  const cookie = await signedInCookies({ options, session });
  read.length = 0;
  const request = new Request(`${baseURL}/account`, { headers: { cookie } });
  const { status } = await app.fetch(request, {
    page: request,
    deps: { config: auth.config, rendering, warn: () => {} },
  });
  await auth.close();
  return { status, read };
}

test("a page reads activity once, and without a new sign-in nothing else", async () => {
  const { status, read } = await openAccount({});
  expect(status).toBe(200);
  expect(read.filter((each) => each.startsWith("activity"))).toHaveLength(1);
  expect(read.filter((each) => each.startsWith("members"))).toEqual([]);
});

test.each<[string, Partial<Options>]>([
  ["activity is off", { activity: false }],
  ["sessions live in cookies", { session: { stateful: false } }],
])("a page reads nothing for the question if %s", async (_, change) => {
  const { status, read } = await openAccount(change);
  expect(status).toBe(200);
  expect(read.join()).not.toMatch(/activity|members/);
});

test("a page without a question is shown if its activity cannot be read", async () => {
  const { status } = await openAccount({}, (keys) => keys.startsWith("activity"));
  expect(status).toBe(200);
});
