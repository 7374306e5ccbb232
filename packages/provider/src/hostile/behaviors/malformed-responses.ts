import type { ResponseParts } from "../faults.ts";

const page = "<!doctype html><title>Sign in</title><p>Please <b>sign in</b>.</p>";

type Change = (good: ResponseParts) => ResponseParts;

/** Malformed responses in place of a JSON object, by name. */
const changes = {
  // Status or headers are wrong.
  "html-200": html(200),
  "html-called-json": (good) => ({ ...good, body: page }),
  "html-500": html(500),
  "html-404": html(404),
  "no-content": (good) => ({ ...good, status: 204, body: "" }),
  "not-modified": (good) => ({ ...good, status: 304, body: "" }),
  teapot: (good) => ({ ...good, status: 418 }),
  "bad-gateway": html(502),
  "multiple-choices": (good) => ({ ...good, status: 300 }),
  "called-text": header("Content-Type", "text/plain"),
  "called-binary": header("Content-Type", "application/octet-stream"),
  "called-gzip": header("Content-Encoding", "gzip"),
  "not-called": ({ headers: { "Content-Type": _type, ...headers }, ...good }) => ({
    ...good,
    headers,
  }),

  // The body is no JSON object, or an unusual one.
  empty: text(() => ""),
  spaces: text(() => "   \n\t "),
  half: text((json) => json.slice(0, json.length / 2)),
  "all-but-the-last-byte": text((json) => json.slice(0, -1)),
  array: text((json) => `[${json}]`),
  "empty-array": text(() => "[]"),
  text: text(() => '"a text"'),
  number: text(() => "42"),
  null: text(() => "null"),
  true: text(() => "true"),
  "text-of-json": text((json) => JSON.stringify(json)),
  "byte-order-mark": text((json) => `\uFEFF${json}`),
  "utf-16": text((json) => Buffer.from(json, "utf16le")),
  "invalid-utf8": text((json) => Buffer.concat([Buffer.of(0xff, 0xfe, 0xfd), Buffer.from(json)])),
  "nul-bytes": text(() => Buffer.alloc(64)),
  "nul-inside": text((json) => json.replace("{", "{\0")),
  "duplicate-members": text((json) =>
    json.replace("{", '{"issuer":1,"access_token":1,"keys":1,"sub":1,'),
  ),
  deep: text(() => "[".repeat(100_000) + "]".repeat(100_000)),
  "deep-member": text((json) => `${open(json)},"x":${"[".repeat(1000)}${"]".repeat(1000)}}`),
  nan: text((json) => `${open(json)},"x":NaN}`),
  infinity: text((json) => `${open(json)},"x":Infinity}`),
  "huge-number": text((json) => `${open(json)},"x":1e999}`),
  "trailing-comma": text((json) => `${open(json)},}`),
  "single-quotes": text((json) => json.replaceAll('"', "'")),
  comment: text((json) => `/* here it comes */ ${json}`),
  "garbage-before": text((json) => `HTTP ${json}`),
  "garbage-after": text((json) => `${json} and so on`),
  twice: text((json) => json + json),
  "guard-prefix": text((json) => `)]}',\n${json}`),
  callback: text((json) => `callback(${json})`),
  xml: text(() => "<?xml version='1.0'?><answer/>"),
  form: text(() => "access_token=abc&id_token=def&issuer=x"),
  yaml: text(() => "access_token: abc\nissuer: x\n"),
  "padded-5-megabytes": text((json) => " ".repeat(5_000_000) + json),
  "one-line-break-per-byte": text((json) =>
    JSON.stringify(JSON.parse(json), null, 1).replaceAll(" ", "\n"),
  ),

  // The body is a JSON object with wrong members.
  "empty-object": object(() => ({})),
  wrapped: object((good) => ({ data: good })),
  "wrapped-in-array-member": object((good) => ({ answer: [good] })),
  prototype: object((good) => ({ ["__proto__"]: good })),
  "constructor-member": object((good) => ({ constructor: { prototype: good } })),
  "members-number": allMembers(1),
  "members-null": allMembers(null),
  "members-array": allMembers([]),
  "members-object": allMembers({}),
  "members-true": allMembers(true),
  "members-empty-text": allMembers(""),
  "members-huge-text": allMembers("x".repeat(100_000)),
  "names-in-capitals": allNames((name) => name.toUpperCase()),
  "names-with-space": allNames((name) => ` ${name}`),
} satisfies Readonly<Record<string, Change>>;

export type Malformation = keyof typeof changes;

export const malformationNames: readonly Malformation[] = Object.keys(changes).filter(
  (name): name is Malformation => Object.hasOwn(changes, name),
);

/** Malformations accepted by a lenient reader. */
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

export function malform(name: Malformation, good: ResponseParts): ResponseParts {
  const change: Change = changes[name];
  return change(good);
}

function header(name: string, value: string): Change {
  return (good) => ({ ...good, headers: { ...good.headers, [name]: value } });
}

function html(status: number): Change {
  return (good) => ({ ...header("Content-Type", "text/html")(good), status, body: page });
}

function text(change: (json: string) => string | Uint8Array): Change {
  return (good) => ({ ...good, body: change(Buffer.from(good.body).toString("utf8")) });
}

/** A JSON object without its closing brace. */
function open(json: string): string {
  return json.replace(/\}\s*$/u, "");
}

function object(change: (good: object) => object): Change {
  return text((json) => JSON.stringify(change(Object(JSON.parse(json)))));
}

function allMembers(value: unknown): Change {
  return object((good) => Object.fromEntries(Object.keys(good).map((name) => [name, value])));
}

function allNames(change: (name: string) => string): Change {
  return object((good) =>
    Object.fromEntries(Object.entries(good).map(([name, value]) => [change(name), value])),
  );
}
