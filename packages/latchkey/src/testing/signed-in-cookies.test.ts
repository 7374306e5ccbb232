import { expect, onTestFinished, test, vi } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { signedInCookies } from "./index.ts";

test("cookies of a user are made outside production only", async () => {
  const made = () =>
    signedInCookies({
      options: { ...goodSettings, log: () => undefined },
      session: { user: { sub: "ada" } },
    });
  expect(await made()).toMatch(/^appSession=/);
  vi.stubEnv("NODE_ENV", "production");
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(made()).rejects.toThrow("only outside production");
});
