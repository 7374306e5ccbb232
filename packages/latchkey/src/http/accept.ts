import type { AuthRequest } from "./auth-request.ts";

/** The three formats of a problem. */
export type BodyKind = "html" | "json" | "text";

/**
 * Returns the preferred format of the client (RFC 9110, 12.5.1), by order and weight in `Accept`.
 *
 * @param otherwise - for a client that accepts anything
 */
export function preferredBody(
  request: Pick<AuthRequest, "headers">,
  otherwise: BodyKind = "text",
): BodyKind {
  const header = request.headers.get("accept");
  if (header === null) return otherwise;
  let best: { readonly kind: BodyKind; readonly weight: number } = { kind: otherwise, weight: 0 };
  for (const range of header.split(",", 32)) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const kind = type === "*/*" ? otherwise : kindOf(type);
    const weight = weightOf(parameters);
    if (kind !== null && weight > best.weight) best = { kind, weight };
  }
  return best.kind;
}

function kindOf(type: string): BodyKind | null {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  return type === "text/plain" ? "text" : null;
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const weight = quality === undefined ? 1 : Number(quality.slice(2));
  return Number.isFinite(weight) ? weight : 0;
}
