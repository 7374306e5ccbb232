import type { Endpoint } from "../behavior.ts";
import type { Fault } from "../faults.ts";
import { json } from "../faults.ts";
import type { Entry, Expectation, Needs } from "./entry.ts";
import { entry } from "./entry.ts";
import type { Malformation } from "./malformed-responses.ts";
import { harmless, malformationNames, malform } from "./malformed-responses.ts";

/** Endpoints called during a sign-in by the relying party, not by the browser. */
export type CalledEndpoint = Exclude<Endpoint, "authorization" | "introspection" | "end-session">;

type ConnectionFault =
  | "REL-F01/hang"
  | "REL-F02/slow"
  | "REL-F02/silence"
  | "REL-F12/reset"
  | "REL-F13/302"
  | "REL-F13/307"
  | "REL-F13/308"
  | "REL-F15/429"
  | "REL-F15/503"
  | "REL-F15/flapping";

/** Faults of the connection and malformed responses, at each endpoint. */
export type TransportBehavior =
  | `${ConnectionFault}/${CalledEndpoint}`
  | `REL-F04/${CalledEndpoint}/${Malformation}`;

const busy = (status: number): Fault => {
  const response = json({ error: "temporarily_unavailable" }, status);
  const headers = { ...response.headers, "Retry-After": "1" };
  return { kind: "replace", response: { ...response, headers } };
};

const connectionFaults: readonly (readonly [
  name: ConnectionFault,
  says: string,
  fault: Fault | ((nth: number) => Fault | undefined),
])[] = [
  ["REL-F01/hang", "accepts the connection and never responds", { kind: "hang" }],
  ["REL-F02/slow", "sends one byte a second", { kind: "slow" }],
  ["REL-F02/silence", "sends headers and then nothing", { kind: "silence-after-headers" }],
  ["REL-F12/reset", "resets the connection", { kind: "reset" }],
  ["REL-F13/302", "redirects to another host (302)", { kind: "redirect", status: 302 }],
  ["REL-F13/307", "redirects to another host (307)", { kind: "redirect", status: 307 }],
  ["REL-F13/308", "redirects to another host (308)", { kind: "redirect", status: 308 }],
  ["REL-F15/429", "responds 429 with Retry-After", busy(429)],
  ["REL-F15/503", "responds 503 with Retry-After", busy(503)],
  [
    "REL-F15/flapping",
    "responds 503 every other time",
    (nth) => (nth % 2 === 1 ? busy(503) : undefined),
  ],
];

const called: readonly (readonly [endpoint: CalledEndpoint, fails: Expectation, needs?: Needs])[] =
  [
    ["metadata", "login-fails"],
    ["keys", "refuse"],
    ["pushed", "login-fails", { pushed: true }],
    ["token", "refuse"],
    ["refresh", "refresh-fails"],
    ["userinfo", "userinfo-discarded"],
  ];

const entries: ReadonlyMap<TransportBehavior, Entry> = new Map(
  called.flatMap(([endpoint, fails, needs]) => [
    ...connectionFaults.map(([name, says, fault]) => {
      const expect = name === "REL-F15/flapping" ? "either" : fails;
      const behavior = { faults: { [endpoint]: fault } };
      const sentence = `the ${endpoint} endpoint ${says}`;
      return [`${name}/${endpoint}` as const, entry(expect, sentence, behavior, needs)] as const;
    }),
    ...malformationNames.map((name) => {
      const expect = harmless.includes(name) ? "either" : fails;
      const mangle: Fault = { kind: "mangle", mangle: (good) => malform(name, good) };
      const behavior = { faults: { [endpoint]: mangle } };
      const sentence = `the ${endpoint} endpoint sends a malformed response: ${name}`;
      return [
        `REL-F04/${endpoint}/${name}` as const,
        entry(expect, sentence, behavior, needs),
      ] as const;
    }),
  ]),
);

export const transportNames: readonly TransportBehavior[] = [...entries.keys()];

export function transportEntry(name: TransportBehavior): Entry {
  const found = entries.get(name);
  if (found === undefined) throw new Error(`No behavior is named ${name}.`);
  return found;
}
