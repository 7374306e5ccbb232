import * as v from "valibot";

import { isJSONObject } from "../crypto/json-object.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import { readOriginPattern } from "../http/origin-pattern.ts";
import { asciiAddress } from "./ascii-address.ts";
import { siteAt } from "./site.ts";
import { isHttps, isLoopback } from "./rules/rule.ts";
import { baseURLSchema } from "./settings-schema.ts";
import { textOf } from "./settings-faults.ts";

/** The settings with one base URL, and what was read of the others. */
export interface ReadBaseURLs {
  /** With the first base URL alone, which is checked with the other settings. */
  readonly written: unknown;
  readonly others: readonly string[];
  readonly faults: readonly ConfigFault[];
}

/** Takes a list of base URLs apart. */
export function readBaseURLs(written: unknown): ReadBaseURLs {
  const given = isJSONObject(written) ? written["baseURL"] : undefined;
  const [first, ...rest] = [given].flat() as readonly unknown[];
  const read = rest.map((each, nth) => readOther(each, `baseURL.${nth + 1}`));
  const others = read.flatMap(({ baseURL }) => baseURL ?? []);
  const faults = [
    ...faultsOfFirst(first, rest.length > 0),
    ...read.flatMap((each) => each.faults),
    ...faultsOfList([...(isAddress(first) ? [asciiAddress(first)] : []), ...others]),
  ];
  return Array.isArray(given)
    ? { written: { ...(written as object), baseURL: first }, others, faults }
    : { written, others, faults };
}

function readOther(
  given: unknown,
  option: string,
): { readonly baseURL?: string; readonly faults: readonly ConfigFault[] } {
  const parsed = v.safeParse(baseURLSchema, withoutStar(given));
  const fault = parsed.success ? starFault(asciiAddress(String(given))) : parsed.issues[0].message;
  return fault === null
    ? { baseURL: siteAt(asciiAddress(String(given)), { isPrimary: false }).baseURL, faults: [] }
    : { faults: [faultOf(fault, textOf(given), option)] };
}

/** The schema is for one address. */
function withoutStar(given: unknown): unknown {
  return typeof given === "string" ? given.replaceAll("*", "x") : given;
}

function starFault(address: string): string | null {
  const { origin, pathname } = new URL(address);
  const pattern = readOriginPattern(origin);
  if (typeof pattern !== "function") return pattern.fault;
  return pathname.includes("*") ? "must have no star in its path" : null;
}

function faultsOfFirst(first: unknown, isList: boolean): readonly ConfigFault[] {
  if (!isList || !isAddress(first) || isHttps(first) || isLoopback(first)) return [];
  return [faultOf("must be https beyond this machine, if there are several", first)];
}

/** A request names a host, and no path decides between two sites. */
function faultsOfList(baseURLs: readonly string[]): readonly ConfigFault[] {
  const hosts = baseURLs.map((each) => new URL(each).host);
  const twice = hosts.filter((host, nth) => hosts.indexOf(host) !== nth);
  return twice.map((host) => faultOf("must name each host once", host));
}

function faultOf(message: string, seen: string | undefined, option = "baseURL"): ConfigFault {
  return { option, variable: "LATCHKEY_BASE_URL", message, remedy, seen };
}

const remedy =
  "Change LATCHKEY_BASE_URL to the address of the app, then those of its other hosts: https://app.example.com https://*.app.example.com.";

/** Whether an address can be looked at; the schema reports the others. */
function isAddress(given: unknown): given is string {
  return typeof given === "string" && URL.canParse(given);
}
