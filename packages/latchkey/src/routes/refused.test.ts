import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "../host/auth.ts";
import type { LogEvent } from "../telemetry/log-event.ts";
import { Forbidden, type UnmetRequirement } from "../errors/access-errors.ts";
import { signedInCookies } from "../testing/index.ts";

const own = goodSettings.baseURL;
const unmet: readonly UnmetRequirement[] = [{ part: "claim", name: "groups", required: ["admin"] }];
let now = 1_800_000_000_000;

/** The address to which a client is led that shows no response of ours, and how to open it. */
async function refusedPage(
  missing = unmet,
  target = "/reports?tab=2",
  more: Partial<Options> = {},
) {
  const events: LogEvent[] = [];
  const log = (event: LogEvent) => void events.push(event);
  const options: Options = { ...goodSettings, clock: () => now, log, ...more };
  const auth = createAuth(options);
  const session = { user: { sub: "ada", groups: ["staff"] } };
  const cookie = await signedInCookies({ options, session });
  const given = new Request(own + target, { headers: { cookie, accept: "text/html" } });
  const { admitted } = (await auth.host.receive(given, () => ({
    method: "GET",
    url: given.url,
    target,
    headers: given.headers,
    body: async () => null,
  }))) as { admitted: { leadOf(error: unknown): string | null } };
  const address = admitted.leadOf(new Forbidden(missing)) ?? "";
  const open = (url = address, headers: Record<string, string> = { cookie }) =>
    auth.respond(new Request(url, { headers: { accept: "text/html", ...headers } }), () =>
      expect.unreachable(),
    );
  return { address, open, events };
}

describe("the page of a refusal", () => {
  test("is a 403 that says what is missing and leads back with another account", async () => {
    const { address, open, events } = await refusedPage();
    expect(address).toMatch(/^https:\/\/app\.example\/api\/auth\/refused\?refusal=[\w.-]+$/);
    const response = await open();
    const text = await response.text();
    expect(response.status).toBe(403);
    expect(text).toContain("It is for users who have groups: admin.");
    expect(text).toContain("returnTo=%2Freports%3Ftab%3D2");
    expect(events).toContainEqual(
      expect.objectContaining({
        event: "refusal",
        reason: "forbidden",
        detail: "claim groups admin (the user has staff)",
      }),
    );
  });

  test("names no user, because other sites can open it", async () => {
    const sessions: unknown[] = [];
    const { open } = await refusedPage(unmet, "/reports", {
      renderProblem: (_problem, _request, session) => (sessions.push(session), "the page"),
    });
    expect(await (await open()).text()).toBe("the page");
    expect(sessions).toEqual([null]);
  });

  test("leads back to the refused page after a minute, which decides anew", async () => {
    const { open } = await refusedPage();
    now += 61_000;
    const response = await open();
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${own}/reports?tab=2`,
    ]);
  });

  test("leads a browser without a session to the refused page, which leads to login", async () => {
    const { open, address } = await refusedPage();
    const response = await open(address, {});
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${own}/reports?tab=2`,
    ]);
  });

  test("is not found at an address that was not made here", async () => {
    const { open, address } = await refusedPage();
    expect((await open(`${address}x`)).status).toBe(404);
    expect((await open(`${own}/api/auth/refused`)).status).toBe(404);
  });

  test("has a short address, however many values the rule allows", async () => {
    const required = Array.from({ length: 500 }, (_, index) => `group-${index}`);
    const { open, address } = await refusedPage([{ part: "claim", name: "groups", required }]);
    expect(address.length).toBeLessThan(2000);
    expect((await open()).status).toBe(403);
  });
});
