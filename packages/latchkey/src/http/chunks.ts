import { type CookieAttributes, type Cookies, setCookie } from "./cookies.ts";

/** The largest cookie that every browser keeps: name, value and attributes together, in bytes. */
export const cookieLimit = 4096;

/** A far date of full length, so that the measured attributes are never shorter than the real ones. */
const anyExpiry = 4_000_000_000;

/**
 * How many characters of the value fit into one chunk, so that the whole `Set-Cookie` line of chunk
 * `<name>.<digit>` stays within {@link cookieLimit}.
 */
export function chunkCapacity(
  name: string,
  attributes: CookieAttributes,
  expires: boolean,
): number {
  const empty = setCookie(`${name}.0`, "", attributes, expires ? anyExpiry : undefined);
  return cookieLimit - empty.length;
}

/** Cuts a value into named chunks: one cookie `<name>`, or `<name>.0`, `<name>.1` … */
export function splitIntoChunks(
  name: string,
  value: string,
  capacity: number,
): readonly (readonly [name: string, value: string])[] {
  if (value.length <= capacity) return [[name, value]];
  const chunks: [string, string][] = [];
  for (let start = 0; start < value.length;) {
    const chunkName = `${name}.${chunks.length}`;
    const room = capacity - (chunkName.length - name.length - 2);
    chunks.push([chunkName, value.slice(start, start + room)]);
    start += room;
  }
  return chunks;
}

/** The values that a request may hold under a name: the plain cookie and the joined chunks. */
export function joinChunks(name: string, cookies: Cookies): readonly string[] {
  const values: string[] = [];
  const plain = cookies[name];
  if (plain !== undefined && plain !== "") values.push(plain);
  const first = cookies[`${name}.0`];
  if (first !== undefined && first !== "") {
    let joined = first;
    for (let index = 1; ; index += 1) {
      const chunk = cookies[`${name}.${index}`];
      if (chunk === undefined || chunk === "") break;
      joined += chunk;
    }
    values.push(joined);
  }
  return values;
}

/** Every cookie of the request that belongs to a name: `<name>` itself and `<name>.<index>`, any index. */
export function chunkNames(name: string, cookies: Cookies): readonly string[] {
  return Object.keys(cookies).filter((present) => present === name || isChunkOf(name, present));
}

function isChunkOf(name: string, candidate: string): boolean {
  if (!candidate.startsWith(`${name}.`)) return false;
  const index = candidate.slice(name.length + 1);
  return /^(?:0|[1-9]\d{0,3})$/.test(index);
}
