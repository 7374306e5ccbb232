import { seededRandom } from "../../packages/latchkey/test/seeded-random.ts";

/** A request which a server may take for one of another path. */
export interface Spelling {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Slashes as some server reads them, and what some server leaves out between two. */
const slashes =
  String.raw`// /// \ /\ \/ %2f %2F %5c %252f %255C /./ /.// /x/../ /%2e/ /x/%2e%2e/ /x/.%2E/ /x%2f../
  /;/ /;x/ ;x=1/ ;/ /.;x/ /x/..;/ /x/..;y=1/ /%20/ /%00/ %00/ /%09/ %23/ %3f/`.split(/\s+/);

const starts =
  String.raw`// /\ /. /.. /./ /../ //x /public/.. /public/../ /public/%2e%2e /public/..%2f /public/..%5c
  /x/.. /;x /%2e /%2f http://localhost HTTP://LOCALHOST http://evil.example https://localhost http: http://
  http://localhost:80 http://public/ http:///public /http://localhost //public/ /public/..; /en /de /en-US
  /index /_next/data/x /_next/data/x/en /_next/image?url= /_image?href= /__nuxt_island /_auth/.. /api/auth/..`.split(
    /\s+/,
  );

/** What some server leaves out at the end, or takes for an address of the page's data. */
const ends =
  String.raw`/ // /// /. /.. /./ /x/.. /%2e /%2e%2e %2f %5c \ ; ;x ;x=1 /;x ? ?x=1 ?/public/ ?_method=GET
  /?x # #x %23 %23x %3f %3fx %3Fx/public %00 %00.js %20 + . .. ... .html .HTML .htm .html/ .json .rsc %0a %0d%0a
  %09 % %zz %2 %e9 %c0%af ~ :80 /index.html /index.html;x &x %2ehtml .%68tml /index /index.rsc ?_rsc=1
  .data /_.data .data?_routes=root .data/ %2edata .DATA /__data.json .html__data.json /__data.json?x-sveltekit-invalidated=1
  /_payload.json /_payload.js ?_payload .segments/_tree.segment.rsc /.json &w=64&q=75 ?_action=act /__data%2ejson`.split(
    /\s+/,
  );

/**
 * Characters which servers read as other letters if they ignore case: the sign for Kelvin, the long
 * s, a wide d.
 */
const folded: Readonly<Record<string, string>> = {
  k: "%E2%84%AA",
  s: "%C5%BF",
  d: "%EF%BD%84",
};

const methods = ["GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH"];

/** Headers by which servers and frameworks pass on the address of a request. */
const claims: readonly ((path: string) => Readonly<Record<string, string>>)[] = [
  () => ({}),
  () => ({}),
  () => ({ "x-http-method-override": "GET" }),
  (path) => ({ "x-original-url": path, "x-rewrite-url": path }),
  (path) => ({ "x-forwarded-prefix": path, "x-forwarded-uri": path, "x-forwarded-path": path }),
  (path) => ({ "x-matched-path": path, "x-invoke-path": path, "x-now-route-matches": "1" }),
  (path) => ({
    "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
    "x-rewritten-url": path,
  }),
  (path) => ({ "x-nextjs-data": "1", "x-nextjs-rewrite": path, "x-nextjs-matched-path": path }),
  (path) => ({ rsc: "1", "next-url": path, "next-router-prefetch": "1" }),
  (path) => ({ "x-sveltekit-pathname": path, "x-astro-path": path, "x-latchkey-target": path }),
  () => ({ accept: "application/json", "x-tsr-serverfn": "true", "x-latchkey-renewed": "1" }),
];

/**
 * Returns requests for these paths and paths below them, spelled in the ways of routers, proxies
 * and frameworks. The same ones for a seed.
 */
export function spellingsOf(
  folders: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Spelling[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => {
    const found = list[random(list.length)];
    if (found === undefined) throw new RangeError("There is nothing to pick.");
    return found;
  };
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`;

  /** Changes one of the matched characters. */
  const atOne = (found: RegExp, change: (char: string) => string) => (path: string) => {
    const places = [...path.matchAll(found)].map(({ index }) => index);
    if (places.length === 0) return path;
    const place = pick(places);
    return path.slice(0, place) + change(path[place] ?? "") + path.slice(place + 1);
  };

  const changes: readonly ((path: string) => string)[] = [
    atOne(/[a-z]/g, (char) => char.toUpperCase()),
    (path) => path.toUpperCase(),
    atOne(/[a-z/.]/g, percent),
    atOne(/[a-z/.]/g, (char) => percent(char).toUpperCase()),
    atOne(/[a-z/.]/g, (char) => `%25${percent(char).slice(1)}`),
    atOne(/[a-z]/g, (char) => percent(char.toUpperCase())),
    atOne(/[ksd]/g, (char) => folded[char] ?? char),
    atOne(/\//g, () => pick(slashes)),
    atOne(/\//g, () => pick(slashes)),
    (path) => pick(starts) + path,
    (path) => path + pick(ends),
    (path) => path + pick(ends),
  ];

  return Array.from({ length: count }, () => {
    const path = pick(folders);
    let target = path;
    for (let left = random(4); left > 0; left -= 1) target = pick(changes)(target);
    const claimed = pick(claims)(path);
    // Some claim the path, and request a public one.
    const isHidden = "x-original-url" in claimed || "x-matched-path" in claimed;
    if (isHidden && random(2) === 0) target = pick(["/", "/public/x"]);
    return { method: pick(methods), target, headers: claimed };
  });
}
