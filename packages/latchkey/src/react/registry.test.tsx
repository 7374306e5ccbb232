import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { SignIn } from "../../registry/sign-in.tsx";
import { SignInTestProvider } from "./components/sign-in-test-provider.tsx";

const times = {
  rollingEndsAt: null,
  absoluteEndsAt: null,
  endsAt: null,
  rollingDuration: null,
  absoluteDuration: null,
};
const signedIn = { status: "signed-in", user: { sub: "ada" }, times, stale: false } as const;

test.each([
  [
    "leads strangers to login",
    { status: "signed-out", user: null } as const,
    'href="/api/auth/login',
  ],
  ["is not there for users", signedIn, ""],
])("the card of the registry %s", (_, session, expected) => {
  const html = renderToString(
    <SignInTestProvider session={session}>
      <SignIn title="Welcome">Orders and invoices.</SignIn>
    </SignInTestProvider>,
  );
  const parts = expected === "" ? [] : ["Welcome", "Orders and invoices.", expected];
  expect(html === "").toBe(expected === "");
  for (const part of parts) expect(html).toContain(part);
});
