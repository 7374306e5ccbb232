import { describe, expect, test } from "vitest";

import { inParallel } from "../in-parallel.ts";
import { isOneSite } from "../second-site.ts";
import { hosts, nodeShaped } from "./world/hosts.ts";
import { worldOfDescribe, worldOfTest } from "./world/host-world.ts";
import { open, pageFor, secret } from "./world/targets.ts";
import type { WireResponse } from "./world/wire.ts";

const written = String.raw`
  /api/data/../../favicon.ico /admin/%2e%2e/_next/x /_next/../admin /public/../admin
  /public/%2e%2e/admin /public/..%2fadmin /public/..%5cadmin /public/..\admin /_auth/..;/admin
  /public/%252e%252e/admin /public/%252e%252e%252fadmin /api/authx //report.html ///admin
  //admin/public/x //public/../admin /\admin/public/x /.//admin /./admin // /// /.. /../admin
  //localhost/public/x //x:y/ http://localhost/admin http://evil.example/admin
  http://localhost/public/../admin http://admin/public/x https://localhost/admin http:admin
  http:///admin http://user:pw@localhost/admin http://localhost:80/public/../admin http://[ localhost:80 evil.example:443 * # #/public/ ? admin public/x . /admin#/public/
  /public/#/../admin /admin?/public/ /admin;/public/ /PRIVATE /Public/x /% /%zz /%ff /%00
  /public/%00/../../admin /%2561dmin /%c0%ae%c0%ae/admin`;
const unprintable = ["/\u0001", "/admin\u007f", "/\u00e9", "/public\t/../admin", "/a b", "/admin "];
const fixed = [...written.trim().split(/\s+/), ...unprintable];

describe.each(hosts)("$name judges the target as it was sent", (host) => {
  const world = worldOfDescribe({ app: (auth) => host.catchAll([auth], pageFor) });

  test("no spelling of a target leads to a protected page [AD-011]", async () => {
    await inParallel(fixed, async (target) => {
      expectRefusedOrPublic(await world().send({ target }), target);
    });
  });

  test("a signed-in user reaches the protected pages [AD-011]", async () => {
    const cookie = await (await world().signedIn()).cookies();
    for (const target of ["/admin", "/report.html", "/public/../admin", "/x/%2e%2e/admin"]) {
      const response = await world().send({ target, headers: { cookie } });
      expect([target, response.status]).toEqual([target, 200]);
    }
  });
});

describe.each(hosts)("$name given a target in absolute form [RFC 9112, section 3.2.2]", (host) => {
  test("reads the query of a login, and follows the rules of a path", async () => {
    const accessRules = { "/admin": () => false };
    const world = await worldOfTest({ app: host.app, options: { accessRules } });
    const login = `${world.baseURL}/api/auth/login?prompt=select_account`;
    const { status, header } = await world.send({ target: login });
    expect([status, header("location")]).toEqual([
      302,
      expect.stringContaining("prompt=select_account"),
    ]);
    const cookie = await (await world.signedIn()).cookies();
    for (const target of ["/admin", "/%61dmin", "/x/../admin", "//admin"]) {
      const answer = await world.send({ target: world.baseURL + target, headers: { cookie } });
      expect([target, answer.status]).toEqual([target, 403]);
    }
  });
});

describe.each(nodeShaped)("$name with another host in the target", (host) => {
  test.runIf(isOneSite)(
    "sends a login in development to the base URL, with its query, whatever Host says [RFC 9112, section 3.2.2]",
    async () => {
      const world = await worldOfTest({ app: host.app });
      const target = "http://elsewhere.example/api/auth/login?returnTo=%2Fprivate";
      const { header } = await world.send({ target });
      expect(header("location")).toBe(
        `${world.baseURL}/api/auth/login?returnTo=%2Fprivate&at=base-url`,
      );
    },
  );
});

function expectRefusedOrPublic({ status, body }: WireResponse, target: string): void {
  expect([target, body.includes(secret)]).toEqual([target, false]);
  const isPublic = status === 200 && (body === open || !body.includes(open));
  const isRefused = status === 302 || (status >= 400 && status < 500);
  expect([target, status, isPublic || isRefused]).toEqual([target, status, true]);
}
