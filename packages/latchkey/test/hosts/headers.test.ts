import { describe, expect, test } from "vitest";

import { ownCookies } from "../../../../conformance/suite/example.ts";
import { nodeShaped } from "./world/hosts.ts";
import { worldOfDescribe } from "./world/host-world.ts";

describe.each(nodeShaped)("the headers on $name", (host) => {
  const world = worldOfDescribe({ app: host.app });

  test.each(["header", "head"])(
    "of two people to whom the application sends one list of cookies by %s, each gets the own session [AD-021, AD-028]",
    async (way) => {
      const before = [...ownCookies];
      const cookie = await (await world().signedIn()).cookies();
      const other = await (await world().signedIn("person-ben")).cookies();
      for (const headers of [{ cookie }, { cookie: other }]) {
        const response = await world().send({ target: `/own-cookie/${way}`, headers });
        const renewed = response.setCookies.find((line) => line.startsWith("appSession.t="));
        const me = await world().send({
          target: "/private",
          headers: { cookie: `${headers.cookie}; ${renewed?.split(";", 1)[0]}` },
        });
        const name = headers.cookie === cookie ? "Ada Okafor" : "Ben Castellan";
        expect(me.body).toBe(`Private page of ${name}`);
      }
      expect(ownCookies).toEqual(before);
    },
  );
});
