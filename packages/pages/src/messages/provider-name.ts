import type { Names } from "./words.ts";

/** A provider without a name is called by its host; the one on this machine is the local one. */
export function providerName(issuer: string): Names["provider"] {
  if (!URL.canParse(issuer)) return { message: "provider.unknown" };
  const { host, hostname } = new URL(issuer);
  return hostname === "localhost" ? { message: "provider.local" } : host;
}
