import { above, type Figures } from "../measure/rounds.ts";
import type { ProgramName } from "../programs.ts";
import type { Testbed } from "../testbed.ts";
import type { Case } from "./case.ts";
import { floorUnder, measureRequests, requestSubject } from "./request-subject.ts";

const path = "/api/sample";

/** A host with our sign-in, with a peer, and without sign-in. */
interface Hosts {
  readonly bare: ProgramName;
  readonly ours: ProgramName;
  readonly peer: ProgramName;
}

/** The cost of sign-in for one request of a signed-in user behind Express. */
export const express: Case = {
  name: "express",
  title: "added to a request behind Express",
  unit: "µs",
  comparisons: [{ of: "latchkey on Express", to: "express-openid-connect", bar: 0.27 }],
  measure: (testbed) =>
    measureAbove(testbed, {
      bare: "bare Express",
      ours: "latchkey on Express",
      peer: "express-openid-connect",
    }),
};

/** The same behind Hono. */
export const hono: Case = {
  name: "hono",
  title: "added to a request behind Hono",
  unit: "µs",
  comparisons: [{ of: "latchkey on Hono", to: "@hono/oidc-auth", bar: 0.8 }],
  measure: (testbed) =>
    measureAbove(testbed, {
      bare: "bare Hono",
      ours: "latchkey on Hono",
      peer: "@hono/oidc-auth",
    }),
};

/** The same behind node:http, against the floor. */
export const nodeHTTP: Case = {
  name: "node-http",
  title: "added to a request behind node:http",
  unit: "µs",
  comparisons: [{ of: "latchkey on node:http", to: "the floor", bar: 1.3 }],
  measure: (testbed) =>
    measureAbove(testbed, {
      bare: "bare node:http",
      ours: "latchkey on node:http",
      peer: "the floor",
    }),
};

async function measureAbove(testbed: Testbed, hosts: Hosts): Promise<Figures> {
  const bare = await requestSubject(await testbed.open(hosts.bare), path);
  const ours = await requestSubject(await testbed.open(hosts.ours), path);
  const peer =
    hosts.peer === "the floor"
      ? await floorUnder(testbed, ours, path)
      : await requestSubject(await testbed.open(hosts.peer), path);
  return above(await measureRequests(testbed, [ours, bare, peer]), bare.name);
}
