/**
 * @param isAllowed - what else says that this is no production
 * @throws {TypeError} in production, which includes any `NODE_ENV=production`
 */
export function refuseProduction(isAllowed = true): void {
  const mode = "process" in globalThis ? globalThis.process.env["NODE_ENV"] : undefined;
  if (mode !== "production" && isAllowed) return;
  throw new TypeError(
    "The test kit signs anyone in, so it works only outside production, for a base URL on this machine.",
  );
}
