import { describe, expect, test } from "vitest";

import { jarAfter, namesIn } from "../../test/cookie-jar.ts";
import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import type { Settings } from "../config/settings.ts";
import type { Measurement } from "../config/telemetry/telemetry.ts";
import { clearAllChunks, createSessionCookie } from "./session-cookie.ts";

const expires = 90_000;

function configWith(settings: Partial<Settings> = {}) {
  return readConfig({ ...goodSettings, ...settings }, { hasStore: false });
}

const cookie = createSessionCookie(configWith());

describe("chunks", () => {
  test.each([
    [100, ["appSession"]],
    [4004, ["appSession"]],
    [4005, ["appSession.0", "appSession.1"]],
    [9000, ["appSession.0", "appSession.1", "appSession.2"]],
  ])("a value of %i characters is written as %j", (length, names) => {
    const setCookies = cookie.write("x".repeat(length), expires, {});
    expect(namesIn(setCookies).set).toEqual(names);
    for (const line of setCookies) expect(line.length).toBeLessThanOrEqual(4096);
    expect(Object.values(jarAfter(setCookies)).join("")).toHaveLength(length);
  });

  test("a value that grows or shrinks leaves no chunk of its former self [STD-142]", () => {
    let jar: Record<string, string> = {};
    for (const length of [100, 9000, 4500, 45_000, 100, 30_000, 4500]) {
      jar = jarAfter(cookie.write("x".repeat(length), expires, jar), jar);
      expect(Object.values(jar).join("")).toHaveLength(length);
      const count = Object.keys(jar).length;
      expect(Object.keys(jar).toSorted()).toEqual(
        count === 1
          ? ["appSession"]
          : Array.from({ length: count }, (_, at) => `appSession.${at}`).toSorted(),
      );
    }
  });
});

test("the size of a session is measured, before it is cut into chunks", () => {
  const measured: Measurement[] = [];
  const watched = createSessionCookie(configWith(), (each) => void measured.push(each));
  watched.write("x".repeat(9000), expires, {});
  expect(measured).toEqual([{ of: "cookie-size", cookie: "session", bytes: 9000 }]);
});

describe("attributes", () => {
  test("a session cookie ends when its session does [RFC 6265bis, section 4.1.2.1]", () => {
    const [line] = cookie.write("x", expires, {});
    expect(line).toBe(
      "appSession=x; Path=/; Expires=Fri, 02 Jan 1970 01:00:00 GMT; HttpOnly; Secure; SameSite=Lax",
    );
  });

  test("a transient session cookie ends with the browser", () => {
    const transient = createSessionCookie(configWith({ session: { cookie: { transient: true } } }));
    expect(transient.write("x", expires, {}).join()).not.toContain("Expires");
  });
});

describe("clearing", () => {
  test("every chunk of the request is cleared with the attributes it was set with", () => {
    const jar = jarAfter(cookie.write("x".repeat(45_000), expires, {}));
    expect(Object.keys(jar).length).toBeGreaterThan(11);
    const cleared = cookie.clear({ ...jar, appSession: "x", "appSession.77": "x", other: "x" });
    expect(namesIn(cleared).cleared.toSorted()).toEqual(
      [...Object.keys(jar), "appSession", "appSession.77"].toSorted(),
    );
    for (const line of cleared)
      expect(line).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  });

  test("nothing is cleared where the request carries no session cookie", () => {
    expect(cookie.clear({ other: "x" })).toEqual([]);
  });

  test("a cookie that a cross-site POST could not bring is cleared all the same", () => {
    const withFormPost = createSessionCookie(configWith({ responseMode: "form_post" }));
    expect(namesIn(withFormPost.clear({})).cleared).toEqual(["appSession"]);
    expect(namesIn(withFormPost.clear({ "appSession.0": "x" })).cleared).toEqual(["appSession.0"]);
  });

  test("the chunks that a cross-site POST could not bring are cleared, but none that was just written", () => {
    const cleared = clearAllChunks(configWith(), ["appSession=x; Path=/"]);
    const numbered = Array.from({ length: 8 }, (_, index) => `appSession.${index}`);
    expect(namesIn(cleared).cleared).toEqual(numbered);
    expect(
      namesIn(clearAllChunks(configWith(), ["appSession.0=x", "appSession.1=x"])).cleared,
    ).toEqual(["appSession", ...numbered.slice(2)]);
  });
});
