import type { RequestAuth } from "latchkey";
import { mcpAuthInfo } from "latchkey/mcp";

export function ownerOf(auth: RequestAuth): string {
  const { clientId, extra } = mcpAuthInfo(auth);
  return JSON.stringify([extra.issuer, extra.sub, clientId]);
}
