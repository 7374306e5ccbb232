import type { Testbed } from "../testbed.ts";
import type { Case, Comparison } from "./case.ts";
import { floorUnder, measureRequests, requestSubject } from "./request-subject.ts";

/** With its store, and with one in memory: the difference is the read of the store. */
const comparisons: readonly Comparison[] = [
  { of: "web application", to: "the floor", bar: 2.2 },
  { of: "web application in memory", to: "the floor", bar: 1.8 },
];

/** The route with the claims of the signed-in user. */
export const me: Case = {
  name: "me",
  title: "`me` of the web application",
  unit: "µs",
  comparisons,
  measure: (testbed) => measurePath(testbed, "/api/auth/me"),
};

/** An API of the application itself. */
export const sampleAPI: Case = {
  name: "sample-api",
  title: "sample API of the web application",
  unit: "µs",
  comparisons,
  measure: (testbed) => measurePath(testbed, "/api/sample"),
};

async function measurePath(testbed: Testbed, path: string) {
  const ours = await requestSubject(await testbed.open("web application"), path);
  const inMemory = await requestSubject(await testbed.open("web application in memory"), path);
  const floor = await floorUnder(testbed, ours, path);
  return measureRequests(testbed, [ours, inMemory, floor]);
}
