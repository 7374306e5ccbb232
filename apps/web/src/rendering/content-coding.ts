import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import type { Answer, HeaderList } from "latchkey";

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

/** A page in the coding that its client takes best; every other answer as it is. */
export function encodePage(request: Pick<Request, "headers">, answer: Answer): Answer {
  const { status, headers, body } = answer;
  if (typeof body !== "string" || !isPage(headers)) return answer;
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const varied = withVary(headers);
  return coding === undefined
    ? { status, headers: varied, body }
    : {
        status,
        headers: [...varied, ["Content-Encoding", coding]],
        body: compressed(body, coding),
      };
}

function isPage(headers: HeaderList): boolean {
  return headers.some(([name, value]) => name === "Content-Type" && value.startsWith("text/html"));
}

function withVary(headers: HeaderList): HeaderList {
  const present = headers.flatMap(([name, value]) => (name === "Vary" ? [value] : []));
  const vary = [...present, "Accept-Encoding", "Accept-Language"].join(", ");
  return [...headers.filter(([name]) => name !== "Vary"), ["Vary", vary]];
}

function compressed(content: string, coding: Coding): Uint8Array<ArrayBuffer> {
  const made =
    coding === "br"
      ? brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
      : gzipSync(content);
  return new Uint8Array(made);
}
