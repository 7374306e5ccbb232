/**
 * Whether a framework's build runs here, which says so by a variable of its own: what it renders is
 * for everybody, and it has no settings.
 */
export function isBuilding(variable: string, value: string): boolean {
  const { process } = globalThis as { readonly process?: NodeJS.Process };
  return process?.env[variable] === value;
}
