/** The view of the sample page: the requested address, in its parts. */
export interface SampleView {
  /** The requested path and query. */
  readonly address: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

export function sampleView(url: string): SampleView {
  const { pathname, search, searchParams } = new URL(url);
  return { address: pathname + search, query: [...searchParams] };
}
