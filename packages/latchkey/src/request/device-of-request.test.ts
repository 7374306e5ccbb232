import { expect, test } from "vitest";

import { goodSettings } from "../../test/settings.ts";
import { readConfig } from "../config/config.ts";
import { fromFetchRequest } from "../http/auth-request.ts";
import { deviceOfRequest } from "./device-of-request.ts";

test.each([
  ["not at all", undefined, {}],
  ["by its network", "socket", { network: "203.0.113.…" }],
])("a device is remembered by its browser and its network: %s", (_, networkFrom, network) => {
  const session = networkFrom === undefined ? {} : { networkFrom };
  const config = readConfig({ ...goodSettings, session }, { hasStore: true });
  const headers = { "user-agent": "Firefox" };
  const request = fromFetchRequest(
    new Request(goodSettings.baseURL, { headers }),
    goodSettings.baseURL,
  );
  const from = { ...request, remoteAddress: "203.0.113.7" };
  expect(deviceOfRequest(config, from)).toEqual({ userAgent: "Firefox", ...network });
});
