import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { SessionWarning, SignInTestProvider } from "../../index.ts";

test("a page that is rendered shortly before the absolute end has no warning in it yet", () => {
  const now = 1_800_000_000;
  const session = {
    startedAt: now - 600_000,
    createdAt: now - 600_000,
    updatedAt: now,
    rollingEndsAt: now + 86_400,
    absoluteEndsAt: now + 300,
    endsAt: now + 300,
    rollingDuration: 86_400,
    absoluteDuration: 604_800,
  };
  const page = renderToString(
    <SignInTestProvider
      value={{ status: "signed-in", user: { sub: "ada" }, session, stale: false }}
      now={now}
    >
      <SessionWarning />
    </SignInTestProvider>,
  );
  expect(page).not.toContain("dialog");
});
