import { translationRows } from "../../../../conformance/suite/rows/all.ts";
import { drivenHost } from "./world/driven-host.ts";
import { hosts } from "./world/hosts.ts";

for (const host of hosts) translationRows(drivenHost(host));
