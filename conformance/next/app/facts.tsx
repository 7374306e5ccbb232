/** Values that a test reads from a page. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  return <pre id="facts">{JSON.stringify(facts)}</pre>;
}
