import { expect, test } from "vitest";

import { startHostileWorld } from "./world/hostile-world.ts";
import { logsStayQuiet } from "./world/quiet-logs.ts";

const world = await startHostileWorld();

const issuers: readonly (readonly [string, () => string])[] = [
  ["a stranger", () => "https://evil.example"],
  ["empty", () => ""],
  ["a script", () => "javascript:alert(1)"],
  ["a path", () => "/"],
  ["ours with a slash behind it", () => `${world.provider.issuer}/`],
];
test.each(issuers)(
  "the app rejects a login started by another site, without a fetch, if its issuer is %s (OpenID Connect Core 4) [CERT-048, STD-019, STD-005, ATK-113]",
  async (_, issuer) => {
    world.setUp();
    world.provider.resetLog();
    const query = new URLSearchParams({ iss: issuer() });
    const answer = await world.browser().request(`/api/auth/login?${query.toString()}`);
    expect([answer.status, answer.location]).toEqual([400, ""]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(world.provider.requests).toEqual([]);
  },
);

logsStayQuiet(world);
