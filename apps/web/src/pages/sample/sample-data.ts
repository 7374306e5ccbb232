/** What the sample page shows: the address that was asked for, in its parts. */
export interface SampleView {
  /** Path and query that the person asked for. */
  readonly address: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

export function sampleView(url: string): SampleView {
  const { pathname, search, searchParams } = new URL(url);
  return { address: pathname + search, query: [...searchParams] };
}
