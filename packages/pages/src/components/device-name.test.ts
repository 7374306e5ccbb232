import { expect, test } from "vitest";

import { describeDevice } from "./device-name.ts";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
const apple = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/143.0.0.0 Safari/537.36`,
    "Chrome",
    "Windows PC",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
    "Edge",
    "Windows PC",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "Firefox",
    "Windows PC",
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/26.0 Safari/605.1.15`,
    "Safari",
    "Mac",
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Chrome/143.0.0.0 Safari/537.36`,
    "Chrome",
    "Mac",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${apple} Version/26.0 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 26_0 like Mac OS X) ${apple} CriOS/143.0 Mobile/15E148 Safari/604.1`,
    "Chrome",
    "iPad",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${apple} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`,
    "Firefox",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${apple} Version/26.0 EdgiOS/143.0 Mobile/15E148 Safari/604.1`,
    "Edge",
    "iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/143.0.0.0 Mobile Safari/537.36`,
    "Chrome",
    "Android",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox", "Android"],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/143.0.0.0 Safari/537.36`,
    "Chrome",
    "ChromeOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/143.0.0.0 Safari/537.36`,
    "Chrome",
    "Linux",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/143.0.0.0 Safari/537.36 OPR/127.0.0.0`,
    "Opera",
    "Windows PC",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/143.0.0.0 Safari/537.36 Vivaldi/7.7`,
    "Vivaldi",
    "Windows PC",
  ],
  ["SomeApp/1.0 (iPhone; iOS 26)", undefined, "iPhone"],
  ["Your bank/1.0", undefined, undefined],
  ["curl/8.5.0", undefined, undefined],
  ["", undefined, undefined],
])("the user agent %s is called %s on %s", (userAgent, browser, system) => {
  expect(describeDevice({ userAgent, name: "" })).toMatchObject({ browser, system });
});

test.each([
  ["laptop", `Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/143.0.0.0 Safari/537.36`],
  ["laptop", "Mozilla/5.0 (Windows NT 10.0) something else"],
  ["phone", `Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${apple} Mobile/15E148`],
  ["phone", "Mozilla/5.0 (Android 16; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0"],
  ["tablet", "Mozilla/5.0 (Android 16; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0"],
  ["tablet", `Mozilla/5.0 (iPad; CPU OS 26_0 like Mac OS X) ${apple} Mobile/15E148 Safari/604.1`],
  ["terminal", "curl/8.5.0"],
  ["terminal", ""],
])("a %s is recognized by the user agent %s", (kind, userAgent) => {
  expect(describeDevice({ userAgent, name: "" }).kind).toBe(kind);
});

test("a device is described by its kind and by its given name", () => {
  expect(describeDevice({ userAgent: "curl/8.5.0", name: "" })).toEqual({ kind: "terminal" });
  expect(describeDevice({ userAgent: "curl/8.5.0", name: "Backup" })).toEqual({
    kind: "terminal",
    given: "Backup",
  });
});
