import { join } from "node:path";

import { folderOf } from "./executable.ts";

/** Where `npm test` unpacks an nginx on a machine that has none. */
export const unpackedNginx = join(import.meta.dirname, "../../../.data/nginx");

/** nginx on this machine; `null` where there is none. */
export function findNginx(): string | null {
  const folder = folderOf(["nginx"], ["/usr/sbin", unpackedNginx]);
  return folder === null ? null : join(folder, "nginx");
}
