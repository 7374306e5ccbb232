/** The screens while Redis answers after five seconds. */
import {
  findRedis,
  type RunningRedis,
  startRedis,
} from "../../../packages/latchkey/test/servers/redis.ts";
import { startProxy, type TCPProxy } from "../../../packages/latchkey/test/servers/tcp-proxy.ts";
import { waitForWatch } from "../../hydration.ts";
import { enter, expect, startTestApp, test, type TestApp } from "../../test-app.ts";

let redis: RunningRedis;
let wire: TCPProxy;
let app: TestApp;

test.beforeEach(async () => {
  const program = findRedis();
  test.skip(program === null, "npm test unpacks Redis");
  redis = await startRedis(program ?? "");
  wire = await startProxy(redis.port);
  app = await startTestApp({ LATCHKEY_STORE: `redis://127.0.0.1:${wire.port}` });
});
test.afterEach(async () => {
  await app?.close();
  await wire?.close();
  await redis?.close();
});

test("a page explains a slow store, and continues when the store is fast again", async ({
  page,
  context,
}) => {
  await enter(context, app, "Ada Okafor");
  wire.delay(5000);
  const faultsAt: number[] = [];
  page.on("response", (response) => {
    if (response.status() >= 500) faultsAt.push(performance.now());
  });

  // A page that waited for the store would show the account.
  const response = await page.goto(`${app.url}/account`);
  expect(response?.status()).toBe(503);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Something went wrong on our side",
  );
  await expect(page.getByRole("main")).toContainText("can't reach the place where it keeps");
  await expect(page.getByText("We'll keep trying")).toBeVisible();

  await expect.poll(() => faultsAt.length).toBe(2);
  const [first = 0, second = 0] = faultsAt;
  expect(second - first).toBeGreaterThan(2500);

  wire.delay(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
});

test("an open page stays and the home page opens while the store is slow", async ({
  page,
  context,
}) => {
  await enter(context, app, "Ada Okafor");
  await page.goto(`${app.url}/account`);
  await waitForWatch(page);
  wire.delay(5000);

  const home = await context.newPage();
  await home.goto(app.url);
  await expect(home.getByRole("main")).toContainText("We can't tell right now");

  await page.bringToFront();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(page.getByText("We couldn't refresh these details.")).toBeVisible();
  await expect(page.getByRole("complementary")).toContainText("Ada Okafor");
});
