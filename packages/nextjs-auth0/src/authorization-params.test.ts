import { expect, test } from "vitest";

import { toSettings } from "./authorization-params.ts";

test.each([
  [{ scope: "openid offline_access" }, { scope: "openid offline_access" }],
  [
    { response_type: "code id_token", response_mode: "form_post" },
    { responseType: "code id_token", responseMode: "form_post" },
  ],
  [{ max_age: 0 }, { maxAge: 0 }],
  [{ max_age: "300" }, { maxAge: 300 }],
  [
    { audience: "https://api.example", remember: true },
    { authorizationParams: { audience: "https://api.example", remember: "true" } },
  ],
  [{ audience: undefined, scope: undefined, max_age: undefined }, {}],
  [undefined, {}],
])("the parameters %j of nextjs-auth0 become the settings %j", (parameters, settings) => {
  expect(toSettings(parameters)).toEqual(settings);
});
