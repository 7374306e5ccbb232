import { words } from "./words.ts";

/** Prefixes of an address which one reader takes for a path and another for a host. */
const openings = [
  "",
  ...words`/ // /// /\\ \\/ \\\\ /. /.// /..// /%2f /%5c`,
  "/\t/",
  "\t",
  "\r\n",
  "\0",
  " ",
  ...words`\u2028 /\u3002 /\uff0f @ ; # ?`,
];

const schemes = [
  "",
  ...words`javascript: data:text/html, vbscript: http: https: HtTpS: http:// https:///`,
];

const ends = ["", "/x?y=//evil.example#z"];

function hosts({ host, hostname, protocol }: URL): readonly string[] {
  const otherScheme = protocol === "http:" ? "https:" : "http:";
  return [
    "evil.example",
    "evil.example.",
    `${host}@evil.example`,
    `evil.example\\@${host}`,
    `evil.example%00.${host}`,
    `evil.example%2f@${host}`,
    "[2001:db8::1]",
    "xn--e1aybc.example",
    "evil\u3002example",
    `${hostname}.evil.example`,
    `evil${hostname}`,
    `${hostname}:1`,
    `${otherScheme}//${host}`,
    "alert(1)",
  ];
}

/** The value as it is, and percent-encoded once, twice and three times. */
function encodings(value: string): readonly string[] {
  const list = [value];
  for (let round = 0; round < 3; round += 1) list.push(encodeURIComponent(list.at(-1) ?? ""));
  return list;
}

/**
 * Returns over 20,000 different values designed to lead users away from an app after sign-in: a
 * prefix, a scheme, a host, an end, and 0 to 3 rounds of percent-encoding.
 */
export function hostileReturnTos(baseURL: string): readonly string[] {
  const values = new Set<string>();
  for (const opening of openings) {
    for (const scheme of schemes) {
      for (const host of hosts(new URL(baseURL))) {
        for (const end of ends) {
          for (const value of encodings(opening + scheme + host + end)) values.add(value);
        }
      }
    }
  }
  return [...values];
}
