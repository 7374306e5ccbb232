import { engineRows, translationRows } from "../../../../conformance/suite/rows/all.ts";
import { longTests } from "../long-tests.ts";
import { drivenHost } from "./world/driven-host.ts";
import { hosts, oneOfEachKind } from "./world/hosts.ts";

for (const host of hosts) translationRows(drivenHost(host));
for (const host of longTests ? hosts : oneOfEachKind) engineRows(drivenHost(host));
