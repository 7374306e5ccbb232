/** An open stream of the server, as a page has it. */
export interface Listening {
  readonly response: Response;
  /** Everything received so far. */
  text(): string;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

export async function listen(origin: string, headers: Record<string, string>): Promise<Listening> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const response = await fetch(`${origin}/_auth/session-events`, { headers, signal });
  const decoder = new TextDecoder();
  let text = "";
  const read = async () => {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
  };
  const ended = read().catch(() => undefined);
  return { response, text: () => text, ended, leave: () => leaving.abort() };
}
