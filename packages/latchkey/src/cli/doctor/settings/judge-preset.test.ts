import { expect, test } from "vitest";

import { configOf } from "../../../../test/settings.ts";
import { judgePreset } from "./judge-preset.ts";

test("the doctor names each setting that relaxes the preset, with its requirement", () => {
  const config = configOf({
    preset: "hardened",
    clientAuthMethod: "client_secret_basic",
    session: { stateful: false },
  });
  expect(judgePreset({ config })).toMatchObject([
    {
      verdict: "warning",
      what: expect.stringContaining("SESSION_STATEFUL (ASVS 7.4.1)") as string,
    },
    { verdict: "warning", what: expect.stringContaining("AUTH_METHOD (ASVS 10.4.16)") as string },
  ]);
});

test.each([{ config: configOf() }, { config: null }])("nothing is relaxed otherwise", (project) => {
  expect(judgePreset(project)).toMatchObject([{ verdict: "ok" }]);
});
