import { pageRows, setupRow } from "../../../../conformance/suite/rows/pages.ts";
import { drivenHost } from "./world/driven-host.ts";
import { hosts } from "./world/hosts.ts";

for (const host of hosts) {
  pageRows(drivenHost(host));
  setupRow(drivenHost(host));
}
