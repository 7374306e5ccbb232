import { parseSync } from "rolldown/utils";

/** A test with the words before it: the titles of its groups, outer ones first. */
export interface TestTitle {
  readonly groups: readonly string[];
  readonly title: string;
  readonly line: number;
}

export function readTitles(fileName: string, source: string): readonly TestTitle[] {
  const { program } = parseSync(fileName, source);
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;

  function titlesIn(node: unknown, groups: readonly string[]): readonly TestTitle[] {
    if (Array.isArray(node)) return node.flatMap((each) => titlesIn(each, groups));
    if (!isNode(node)) return [];
    const call = titledCall(node, source);
    if (call === null) return Object.values(node).flatMap((each) => titlesIn(each, groups));
    const { isGroup, title, start, rest } = call;
    if (isGroup) return titlesIn(rest, [...groups, title]);
    return [{ groups, title, line: lineAt(start) }, ...titlesIn(rest, groups)];
  }

  return titlesIn(program.body, []);
}

type Node = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number };

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** Reads `test("…", …)`, `describe("…", …)` and their kinds, such as `test.each(…)("…", …)`. */
function titledCall(node: Node, source: string) {
  const { type, callee, arguments: given, start } = node;
  if (type !== "CallExpression" || !isNode(callee) || !Array.isArray(given)) return null;
  const name = source.slice(callee.start, callee.end);
  const [title, ...rest] = given as readonly unknown[];
  if (!/^(?:it|test|describe)\b/.test(name) || !isNode(title)) return null;
  if (title["type"] !== "Literal" && title["type"] !== "TemplateLiteral") return null;
  const isGroup = /^(?:test\.)?describe\b/.test(name);
  return { isGroup, title: source.slice(title.start + 1, title.end - 1), start, rest };
}

/** What a test does to its subject; the third person is no noun. */
const verbs = words(`
  accepts adds allows appears asserts becomes begins brings can cannot carries chooses closes
  compares contains creates decides decodes deletes delivers derives describes did does drops
  encodes escapes explains fails fetches fills finds finishes follows forgets forwards gets gives
  goes handles has hides holds ignores includes installs is keeps knows leads leaves lets looks
  loses makes may moves must needs never notices obeys omits opens passes picks plays prefers
  prepares prevents prints produces protects publishes puts reaches reads recognizes reconnects
  redirects refuses registers rejects relays releases remembers removes renders renews repeats
  replaces resolves responds restarts retries returns revokes rotates runs says seeds sends serves
  sets shows signs skips spends splits starts stays stops strips suggests survives takes throws
  treats tries turns uses validates verifies waits warns was were wins works wraps writes
`);

/** These are nouns as well: it depends on what follows. */
const verbsOrNouns = words(`
  answers asks builds calls changes checks clears collects copies counts covers ends guards links
  lists loads logs marks masks matches measures names offers orders pauses points posts presents
  records refreshes reports requests requires seals shares sorts stores updates watches
`);

const afterNouns = words(`
  about and are at before behind between by do for from have in of on or stay that to whose with without
`);

/** What begins a phrase: the subject comes after it. */
const prepositions = words(`
  above across after against along among around as at because before behind below beneath beside
  between beyond by despite during except for from if in inside into near of off on once onto out
  outside over past since through to toward under unless until upon via when where while with within
  without
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Returns one line per title that has no subject, read after the titles of its groups. */
export function findTitleFaults(fileName: string, source: string): readonly string[] {
  return readTitles(fileName, source).flatMap(({ groups, title, line }) =>
    isWithoutSubject([...groups, title])
      ? [`${fileName}:${line}: "${[...groups, title].join(" ")}" has no subject: say what does it`]
      : [],
  );
}

/** A group of one word is a name: what follows is about it. */
function isWithoutSubject(titles: readonly string[]): boolean {
  const [outer = "", ...inner] = titles;
  if (inner.length > 0 && /^\S+$/.test(outer)) return false;
  return beginsWithVerb(titles.join(" ")) || beginsWithVerb(withoutPhrase(outer, inner));
}

/** What follows a phrase such as "without a store,", or a group that is one; else the same. */
function withoutPhrase(outer: string, inner: readonly string[]): string {
  const sentence = [outer, ...inner].join(" ");
  if (!prepositions.has(firstWord(outer))) return sentence;
  const end = outer.indexOf(", ");
  return end === -1 ? inner.join(" ") : [outer.slice(end + 2), ...inner].join(" ");
}

function beginsWithVerb(sentence: string): boolean {
  const [first = "", second = ""] = sentence.split(/\s+/);
  return verbs.has(first) || (verbsOrNouns.has(first) && !afterNouns.has(second));
}

function firstWord(text: string): string {
  return text.split(/\s+/, 1)[0] ?? "";
}
