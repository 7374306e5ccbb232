import type { IncomingMessage } from "node:http";

const maxBytes = 1_048_576;

/** Reads a request's body as text; a longer one is cut off. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= maxBytes) chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
