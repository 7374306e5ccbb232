type Fetch = (input: string, init: RequestInit) => Promise<Response>;
type Members = Readonly<Record<string, unknown>>;

/** Returns a fetch with a change to the JSON from one path of the provider. */
export function changedFetch(
  path: string,
  change: (body: Members, init: RequestInit) => object | Promise<object>,
): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!new URL(input).pathname.endsWith(path)) return response;
    const body = (await response.json()) as Members;
    return Response.json(await change(body, init), { status: response.status });
  };
}
