import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A coding in which answers can be sent. */
export type Coding = "br" | "gzip";

/** Quick rather than small: pages are made for one person, once. */
const brotliQuality = 4;

/** The best coding that a client takes (RFC 9110, 12.5.3); `undefined` for none. */
export function chooseCoding(acceptEncoding: string | null): Coding | undefined {
  const offered = (acceptEncoding ?? "").toLowerCase().split(",");
  const takes = (name: string) =>
    offered.some((each) => {
      const [coding = "", weight = ""] = each.split(";");
      return coding.trim() === name && !/^\s*q=0(?:\.0*)?\s*$/.test(weight);
    });
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : undefined;
}

/** Makes an HTML answer smaller where the client takes that; leaves every other answer alone. */
export async function compressPage(request: Request, response: Response): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("text/html") !== true) return response;
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  headers.append("Vary", "Accept-Language");
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const content = new Uint8Array(await response.arrayBuffer());
  const { status } = response;
  if (coding === undefined) return new Response(content, { status, headers });
  headers.set("Content-Encoding", coding);
  return new Response(compressed(content, coding), { status, headers });
}

function compressed(content: Uint8Array, coding: Coding): Uint8Array<ArrayBuffer> {
  const made =
    coding === "br"
      ? brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : gzipSync(content);
  return new Uint8Array(made);
}
