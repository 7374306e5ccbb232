import { expect, test } from "vitest";

import { ada } from "../../gallery/people.ts";
import { endAllView } from "./devices-data.ts";

const shared = { ...ada, times: { ...ada.times, shared: true as const } };

test.each([
  ["leads to the provider by default", true, ada, true],
  ["stays away from the provider without logout there", false, ada, false],
  ["leads to the provider from a shared computer in any case", false, shared, true],
])("signing out on all devices %s", (_what, idpLogout, session, leadsToProvider) => {
  expect(endAllView(null, session, { idpLogout, now: 0 })).toEqual({ leadsToProvider });
});
