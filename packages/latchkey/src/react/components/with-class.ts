/** Adds the class names of an app to those of a component. */
export function withClass(own: string, given: string | undefined): string {
  return given ? `${own} ${given}` : own;
}
