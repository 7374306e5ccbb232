import { matchPaths } from "latchkey";
import * as v from "valibot";

/** Who may open a path: a word, or what must hold of the signed-in user, as data. */
export type Access = (typeof words)[number] | Requirements;

/** The parts of an access rule of the engine, which checks them. */
export type Requirements = Readonly<Record<string, unknown>>;

export interface HostRules {
  /** As in the `Host` header, in lower case: with its port, unless it is the default one. */
  readonly host: string;
  readonly rules: readonly CheckRule[];
}

export interface CheckRule {
  /** `undefined` for every method; GET includes HEAD. */
  readonly method: string | undefined;
  /** The rule counts for this path and everything below it. */
  readonly path: string;
  readonly access: Access;
}

const words = ["public", "optional", "signed-in"] as const;

const example = '{ "wiki.example.com": { "/": "signed-in", "/admin": { "claim": … } } }';
const hostRule = "must be a host such as wiki.example.com, without scheme and path";
const placeRule =
  "must be a path such as /admin, or a method and a path such as OPTIONS /api; it counts for all below it";
const accessRule = `must be ${words.join(", ")}, or an object with requirements`;

const accessSchema = v.custom<Access>(
  (given) => words.some((word) => word === given) || isPlain(given),
  accessRule,
);
const placeSchema = v.pipe(v.string(), v.regex(/^(?:[A-Z]+ )?\/(?!\/)[\w\-./~]*$/, placeRule));

/** Rules for each host: one word for all of it, or an object of paths. */
export const checkRules = v.pipe(
  v.record(
    v.pipe(v.string(), v.check(isHost, hostRule)),
    v.pipe(
      v.unknown(),
      v.transform((given) => (typeof given === "string" ? { "/": given } : given)),
      v.record(
        placeSchema,
        accessSchema,
        `must be ${words.join(", ")}, or an object of paths and their rules`,
      ),
    ),
    `must be an object of hosts and their rules, as JSON: ${example}`,
  ),
  v.check((rules) => Object.keys(rules).length > 0, "must name at least one host"),
  v.transform((rules): readonly HostRules[] =>
    Object.entries(rules).map(([host, given]) => ({
      host: host.toLowerCase(),
      rules: Object.entries(given).map(ruleOf),
    })),
  ),
);

function isPlain(given: unknown): boolean {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

function isHost(text: string): boolean {
  if (!/^[\w.:[\]-]+$/.test(text)) return false;
  const [http, https] = [URL.parse(`http://${text}`), URL.parse(`https://${text}`)];
  return http?.host === text.toLowerCase() && https?.host === text.toLowerCase();
}

function ruleOf([place, access]: readonly [string, Access]): CheckRule {
  const [path = "", method] = place.split(" ").toReversed();
  return { method, path: path === "/" ? path : path.replace(/\/+$/, ""), access };
}

/**
 * Returns what must hold for a request. Of several rules the one with the longest path counts. If
 * an application could read the path in several ways, the rules of all of them count.
 *
 * @returns `null` if no conclusion is possible: refuse such a request
 */
export function accessTo(
  { rules }: HostRules,
  { method, path }: { readonly method: string; readonly path: string },
): readonly Access[] | null {
  const asked = method === "HEAD" ? "GET" : method;
  // A rule for the method comes first, and wins over one for every method.
  const applicable = [asked, undefined].flatMap((each) =>
    rules.filter((rule) => rule.method === each),
  );
  const paths = applicable.map((rule) => rule.path);
  const matches = matchPaths(paths, path);
  return (
    matches?.map(
      (found) => applicable.find((rule) => rule.path === found)?.access ?? "signed-in",
    ) ?? null
  );
}
