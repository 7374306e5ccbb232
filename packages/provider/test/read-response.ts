/** What a response contains: exactly one of members, token and fault. */
export interface Reading {
  readonly members?: Readonly<Record<string, unknown>>;
  /** A signed response. */
  readonly token?: string;
  readonly fault?: string;
  /** How the response arrived, apart from its content. */
  readonly manner?: Readonly<Record<string, unknown>>;
}

/**
 * Calls a provider and accepts only a JSON object or a JWT with the right status and type.
 *
 * Follows one redirect within the same origin.
 */
export async function readResponse(
  url: string,
  init: RequestInit,
  status: number,
  timeoutMs: number,
): Promise<Reading> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const first = await fetch(url, { ...init, redirect: "manual", signal });
    const location = URL.parse(first.headers.get("Location") ?? "", url);
    const follow =
      location !== null && location.origin === new URL(url).origin && first.status === 301;
    const response = follow ? await fetch(location, { redirect: "manual", signal }) : first;
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = new TextDecoder().decode(bytes);
    const manner = {
      redirected: follow,
      begins: bytes.subarray(0, 3).toString("hex"),
      large: bytes.length > 1_000_000,
      lines: body.includes("\n"),
    };
    if (response.status !== status) return { fault: `status ${response.status}` };
    const type = response.headers.get("Content-Type") ?? "";
    if (/^application\/jwt\b/iu.test(type)) return { token: body, manner };
    if (!/^application\/json\b/iu.test(type)) return { fault: `content type ${type}` };
    const value: unknown = JSON.parse(body);
    return isMembers(value) ? { members: value, manner } : { fault: "not an object" };
  } catch (error) {
    return { fault: error instanceof Error ? error.name : String(error) };
  }
}

function isMembers(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
