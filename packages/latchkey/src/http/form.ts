import { Refusal } from "../errors/refusal.ts";

/** The largest form we read, in bytes. */
export const formLimit = 64 * 1024;

/**
 * Reads an `application/x-www-form-urlencoded` body.
 *
 * @throws {Refusal} `content_type` for any other type, `body_too_large` above {@link formLimit}
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") throw new Refusal("content_type");
  if (Number(request.headers.get("content-length") ?? 0) > formLimit) {
    throw new Refusal("body_too_large");
  }
  return new URLSearchParams(new TextDecoder().decode(await readCapped(request)));
}

async function readCapped(request: Request): Promise<Uint8Array> {
  const bytes = new Uint8Array(formLimit);
  let length = 0;
  if (request.body === null) return bytes.subarray(0, 0);
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    if (length + chunk.byteLength > formLimit) throw new Refusal("body_too_large");
    bytes.set(chunk, length);
    length += chunk.byteLength;
  }
  return bytes.subarray(0, length);
}
