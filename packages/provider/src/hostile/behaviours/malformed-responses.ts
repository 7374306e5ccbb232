import type { ResponseParts } from "../faults.ts";

/** Ways in which a response that should be a JSON object can be malformed. */
export type Malformation = (typeof malformationNames)[number];

/** All malformations by name. */
export const malformationNames = [
  "html-200",
  "html-called-json",
  "html-500",
  "html-404",
  "no-content",
  "not-modified",
  "teapot",
  "bad-gateway",
  "multiple-choices",
  "empty",
  "spaces",
  "half",
  "all-but-the-last-byte",
  "array",
  "empty-array",
  "text",
  "number",
  "null",
  "true",
  "text-of-json",
  "byte-order-mark",
  "utf-16",
  "invalid-utf8",
  "nul-bytes",
  "nul-inside",
  "duplicate-members",
  "deep",
  "deep-member",
  "nan",
  "infinity",
  "huge-number",
  "trailing-comma",
  "single-quotes",
  "comment",
  "garbage-before",
  "garbage-after",
  "twice",
  "guard-prefix",
  "callback",
  "xml",
  "form",
  "yaml",
  "called-text",
  "called-binary",
  "not-called",
  "empty-object",
  "wrapped",
  "wrapped-in-array-member",
  "prototype",
  "constructor-member",
  "members-number",
  "members-null",
  "members-array",
  "members-object",
  "members-true",
  "members-empty-text",
  "members-huge-text",
  "names-in-capitals",
  "names-with-space",
  "called-gzip",
  "padded-5-megabytes",
  "one-line-break-per-byte",
] as const;

/** Malformations that a lenient reader may accept. */
export const harmless: readonly Malformation[] = [
  "byte-order-mark",
  "duplicate-members",
  "deep-member",
  "huge-number",
  "called-text",
  "called-binary",
  "not-called",
  "padded-5-megabytes",
  "one-line-break-per-byte",
  "teapot",
];

/** The malformed form of a good response. */
export function malformed(name: Malformation, good: ResponseParts): ResponseParts {
  const text = Buffer.from(good.body).toString("utf8");
  const bytes = malformedText(name, text);
  if (bytes !== undefined) return { ...good, body: bytes };
  const members = malformedMembers(name, text);
  if (members !== undefined) return { ...good, body: JSON.stringify(members) };
  return malformedHead(name, good, text);
}

/** Changes the text, so that it is no JSON object any more, or an unusual one. */
function malformedText(name: Malformation, text: string): string | Uint8Array | undefined {
  const inside = text.replace(/\}\s*$/u, "");
  const changes: Partial<Record<Malformation, () => string | Uint8Array>> = {
    empty: () => "",
    spaces: () => "   \n\t ",
    half: () => text.slice(0, text.length / 2),
    "all-but-the-last-byte": () => text.slice(0, -1),
    array: () => `[${text}]`,
    "empty-array": () => "[]",
    text: () => '"a text"',
    number: () => "42",
    null: () => "null",
    true: () => "true",
    "text-of-json": () => JSON.stringify(text),
    "byte-order-mark": () => `\uFEFF${text}`,
    "utf-16": () => Buffer.from(text, "utf16le"),
    "invalid-utf8": () => Buffer.concat([Buffer.from([0xff, 0xfe, 0xfd]), Buffer.from(text)]),
    "nul-bytes": () => Buffer.alloc(64),
    "nul-inside": () => text.replace("{", "{\0"),
    "duplicate-members": () => text.replace("{", '{"issuer":1,"access_token":1,"keys":1,"sub":1,'),
    deep: () => "[".repeat(100_000) + "]".repeat(100_000),
    "deep-member": () => `${inside},"x":${"[".repeat(1000)}${"]".repeat(1000)}}`,
    nan: () => `${inside},"x":NaN}`,
    infinity: () => `${inside},"x":Infinity}`,
    "huge-number": () => `${inside},"x":1e999}`,
    "trailing-comma": () => `${inside},}`,
    "single-quotes": () => text.replaceAll('"', "'"),
    comment: () => `/* here it comes */ ${text}`,
    "garbage-before": () => `HTTP ${text}`,
    "garbage-after": () => `${text} and so on`,
    twice: () => text + text,
    "guard-prefix": () => `)]}',\n${text}`,
    callback: () => `callback(${text})`,
    xml: () => "<?xml version='1.0'?><answer/>",
    form: () => "access_token=abc&id_token=def&issuer=x",
    yaml: () => "access_token: abc\nissuer: x\n",
    "padded-5-megabytes": () => " ".repeat(5_000_000) + text,
    "one-line-break-per-byte": () =>
      JSON.stringify(JSON.parse(text), null, 1).replaceAll(" ", "\n"),
  };
  return changes[name]?.();
}

/** Returns a JSON object with wrong members. */
function malformedMembers(name: Malformation, text: string): object | undefined {
  const good: unknown = JSON.parse(text);
  const entries = Object.entries(good ?? {});
  const all = (value: unknown) => Object.fromEntries(entries.map(([member]) => [member, value]));
  const renamed = (change: (member: string) => string) =>
    Object.fromEntries(entries.map(([member, value]) => [change(member), value]));
  const changes: Partial<Record<Malformation, () => object>> = {
    "empty-object": () => ({}),
    wrapped: () => ({ data: good }),
    "wrapped-in-array-member": () => ({ answer: [good] }),
    prototype: () => ({ ["__proto__"]: good }),
    "constructor-member": () => ({ constructor: { prototype: good } }),
    "members-number": () => all(1),
    "members-null": () => all(null),
    "members-array": () => all([]),
    "members-object": () => all({}),
    "members-true": () => all(true),
    "members-empty-text": () => all(""),
    "members-huge-text": () => all("x".repeat(100_000)),
    "names-in-capitals": () => renamed((member) => member.toUpperCase()),
    "names-with-space": () => renamed((member) => ` ${member}`),
  };
  return changes[name]?.();
}

/** Changes status or headers. */
function malformedHead(name: Malformation, good: ResponseParts, text: string): ResponseParts {
  const page = "<!doctype html><title>Sign in</title><p>Please <b>sign in</b>.</p>";
  const called = (type: string) => ({
    ...good,
    headers: { ...good.headers, "Content-Type": type },
  });
  const html = (status: number) => ({ ...called("text/html"), status, body: page });
  const { "Content-Type": _type, ...headers } = good.headers;
  switch (name) {
    case "html-200":
      return html(200);
    case "html-called-json":
      return { ...good, body: page };
    case "html-500":
      return html(500);
    case "html-404":
      return html(404);
    case "bad-gateway":
      return html(502);
    case "no-content":
      return { ...good, status: 204, body: "" };
    case "not-modified":
      return { ...good, status: 304, body: "" };
    case "multiple-choices":
      return { ...good, status: 300 };
    case "teapot":
      return { ...good, status: 418, body: text };
    case "called-text":
      return called("text/plain");
    case "called-binary":
      return called("application/octet-stream");
    case "not-called":
      return { ...good, headers };
    case "called-gzip":
      return { ...good, headers: { ...good.headers, "Content-Encoding": "gzip" } };
    default:
      return { ...good, body: "" };
  }
}
