import type { IncomingMessage } from "node:http";

/**
 * Reads a request's body as text.
 *
 * @param maxBytes longer bodies are cut off. Default 1 MiB.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number = 1_048_576,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= maxBytes) chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
