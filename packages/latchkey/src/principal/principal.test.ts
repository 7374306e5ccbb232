import { expect, test } from "vitest";

import { configOf, goodSettings } from "../../test/settings.ts";
import { createContext } from "../host/create-context.ts";
import { principalOfSession } from "./principal.ts";

const now = 1_800_000_000;
const context = createContext(configOf(), { store: null, log: () => undefined });
const header = {
  uat: now,
  iat: now - 10,
  exp: now + 60,
  id: "s",
  subTag: "t",
  issuer: "https://op.example",
  client: "client",
};
const user = { sub: "ada", auth_time: 1, acr: "of-the-app" };

test("the principal of a session has the claims of the user, the granted scopes, and this app as its client", () => {
  const data = { user, accessTokenScope: "openid  read" };
  expect(principalOfSession({ header, data, record: null }, context)).toMatchObject({
    credential: "session",
    claims: user,
    scopes: ["openid", "read"],
    issuer: goodSettings.issuerBaseURL,
    client: goodSettings.clientID,
    endsAt: now + 60,
    session: { ...data, times: { createdAt: now - 10, endsAt: now + 60 } },
  });
});

test("the principal of a session authenticated as its header says, whatever the claims say", () => {
  const data = { user };
  const of = (sealed: object) =>
    principalOfSession({ header: { ...header, ...sealed }, data, record: null }, context);
  expect(of({})).toMatchObject({ authTime: undefined, acr: undefined });
  expect(of({ authTime: now, acr: "mfa" })).toMatchObject({ authTime: now, acr: "mfa" });
});
