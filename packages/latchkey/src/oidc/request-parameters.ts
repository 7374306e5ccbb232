/** Parameters of a request by their names. One with several values is sent several times. */
export type RequestParameters = Readonly<Record<string, string | readonly string[]>>;

/** The parameters one by one, as a form or a query has them. */
export function parameterPairs(parameters: RequestParameters): [name: string, value: string][] {
  return Object.entries(parameters).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
}
