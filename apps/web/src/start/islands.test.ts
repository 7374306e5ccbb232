import { afterAll, beforeAll, expect, test } from "vitest";

import { type RunningApp, runApp } from "./running-app.support.ts";

let app: RunningApp;

beforeAll(async () => {
  app = await runApp();
});
afterAll(() => app.close());

async function pageOf(name: string): Promise<string> {
  const cookie = await app.signIn({ user: { sub: "ada", name } });
  return (await app.get("/", { cookie })).text();
}

/** What a browser finds in the element: the text up to the first end tag of a script. */
function seedIn(html: string): unknown {
  const [, text = ""] =
    /<script type="application\/json" id="seed">(.*?)<\/script/is.exec(html) ?? [];
  return JSON.parse(text);
}

test.each(["</script><script>alert(1)</script>", "<!--<script>", "Ada & <Lovelace>"])(
  "the name %s arrives in the browser, and is no markup of the page",
  async (name) => {
    const html = await pageOf(name);
    expect(seedIn(html)).toMatchObject({ user: { name } });
    expect(html).not.toContain("<script>alert(1)");
    expect(html.match(/<script/g)).toEqual((await pageOf("Ada")).match(/<script/g));
  },
);
