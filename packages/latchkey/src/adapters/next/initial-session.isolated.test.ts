import { expect, test, vi } from "vitest";

import { goodSettings } from "../../../test/settings.ts";
import { signedInCookies } from "../../testing/index.ts";
import { latchkey } from "./index.ts";

// The tests run without Next.js.
const sent = vi.hoisted(() => new Headers());
vi.mock("next/headers.js", () => ({ headers: async () => sent, cookies: async () => ({}) }));
vi.mock("next/server.js", () => ({ connection: async () => undefined }));

test("the browser counts from the clock of the sign-in, not from that of the machine", async () => {
  const seconds = 1_800_000_000;
  const options = { ...goodSettings, clock: () => seconds * 1000, log: () => undefined };
  sent.set("cookie", await signedInCookies({ options, session: { user: { sub: "ada" } } }));
  expect(await latchkey(options).initialSession()).toMatchObject({
    user: { sub: "ada" },
    times: { startedAt: seconds },
    now: seconds,
  });
});
