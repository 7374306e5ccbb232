import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { api } from "../api/index.ts";
import { createAuth, type LogEvent, type Options } from "../index.ts";

/** Sends requests with these headers, and returns what the log says of access tokens. */
async function notesOf(
  authorization: readonly string[],
  options: Partial<Options> = {},
): Promise<readonly LogEvent[]> {
  const events: LogEvent[] = [];
  const baseURL = "http://localhost:3000";
  const auth = createAuth({
    ...goodSettings,
    baseURL,
    log: (event) => void events.push(event),
    ...options,
  });
  for (const each of authorization) {
    const request = new Request(`${baseURL}/api/orders`, { headers: { authorization: each } });
    const response = await auth.respond(request, () => new Response("not reached"));
    expect(response.status).toBe(401);
  }
  return events.filter((each) => JSON.stringify(each).includes("access token"));
}

const message = expect.stringContaining("https://latchkey-auth.github.io/latchkey/guides/api");

test("in development an app without api says once that access tokens count for nothing", async () => {
  const tokens = ["Bearer secret-1", "bearer secret-2", "DPoP secret-3"];
  const notes = await notesOf(tokens);
  expect(notes).toEqual([{ event: "warning", message }]);
  expect(JSON.stringify(notes)).not.toContain("secret-");
});

test.each<[string, string, Partial<Options>]>([
  ["with another scheme", "Basic YTpi", {}],
  ["in an app with api", "Bearer x", { api: api({ audience: "https://api.example.com" }) }],
  ["in production", "Bearer x", { production: true }],
])("a request %s causes no such warning", async (_, authorization, options) => {
  const notes = await notesOf([authorization], options);
  expect(notes).not.toContainEqual({ event: "warning", message });
});
