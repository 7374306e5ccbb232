import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { SessionWarning, SignInTestProvider } from "../../index.ts";

test("the server renders no warning, even shortly before the absolute end", () => {
  const now = 1_800_000_000;
  const times = {
    rollingEndsAt: now + 86_400,
    absoluteEndsAt: now + 300,
    endsAt: now + 300,
    rollingDuration: 86_400,
    absoluteDuration: 604_800,
  };
  const page = renderToString(
    <SignInTestProvider
      session={{ status: "signed-in", user: { sub: "ada" }, times, stale: false }}
      now={now}
    >
      <SessionWarning />
    </SignInTestProvider>,
  );
  expect(page).not.toContain("dialog");
});
