import { describe, expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { createAuth, type Options } from "../auth.ts";
import type { Problem } from "../errors/problem.ts";

const metadata = { issuer: "https://another.example" };

/** Opens login while the provider calls itself by another name: the response, and what its page was told. */
async function refused(options: Partial<Options> = {}, accept = "text/html") {
  const problems: Problem[] = [];
  const auth = createAuth({
    ...goodSettings,
    log: () => undefined,
    fetch: async () => Response.json(metadata),
    renderProblem: (problem) => (problems.push(problem), "the page"),
    ...options,
  });
  const request = new Request(`${goodSettings.baseURL}/api/auth/login`, { headers: { accept } });
  const response = await auth.respond(request, () => expect.unreachable());
  return { response, problem: problems[0], text: await response.text() };
}

describe("the details of a refusal", () => {
  const detail = expect.stringContaining("another.example");

  test("the page is told them in development", async () => {
    expect((await refused({ production: false })).problem).toMatchObject({ detail });
  });

  test("neither page nor JSON nor text is told them in production", async () => {
    const { problem } = await refused({ production: true });
    expect(problem?.reason).toBe("issuer_mismatch");
    expect(JSON.stringify(problem)).not.toContain("another.example");
    for (const accept of ["application/json", "text/plain"]) {
      expect((await refused({ production: true }, accept)).text).not.toContain("another.example");
    }
  });
});

test("a page that cannot be made gives way to the built-in one, without its fault", async () => {
  const { response, text } = await refused({
    renderProblem: () => {
      throw new Error("a secret of the page");
    },
  });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(text).toMatch(/^<!doctype html>/i);
  expect(text).not.toContain("a secret of the page");
});

test.each(["text/html", "application/json", "text/plain"])(
  "a refusal as %s goes into no frame, no cache and no other type, and its address to nobody [STD-047, STD-055, ATK-104]",
  async (accept) => {
    const { headers, status } = (await refused({}, accept)).response;
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers.has("retry-after")).toBe(status >= 500);
  },
);
