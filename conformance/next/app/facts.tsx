/** Values for a test to read from a page. */
export function Facts({ facts }: { readonly facts: Readonly<Record<string, unknown>> }) {
  return <pre id="facts">{JSON.stringify(facts)}</pre>;
}
