/** As `engines` of the package says. */
export const oldestNode = "22.18";

/** Returns the message for a user of an older Node; `null` for a recent one. */
export function nodeFault(version: string): string | null {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  return isOld ? `latchkey needs Node ${oldestNode} or newer, and this is Node ${version}.` : null;
}
