import type { SeenRequest } from "@latchkey/provider/hostile";
import { words } from "../../words.ts";

/** Secret values and their kinds. They must never appear outside their place. */
export interface Canaries {
  add(kind: string, value: string | null | undefined): void;
  /** Adds the request and response parameters with secret names. */
  addParameters(parameters: URLSearchParams): void;
  addRequest(request: SeenRequest): void;
  /** Returns the kinds of the secrets found in a text, whole or as a recognizable part. */
  foundIn(text: string): readonly string[];
  readonly size: number;
}

const secretParameters = words`
  access_token client_assertion client_secret code code_verifier id_token id_token_hint
  logout_token nonce refresh_token request_uri state
`;

/** Shorter values would be found by chance. */
const shortest = 12;
/** A log may cut a long value off: its beginning gives it away as well. */
const telltale = 24;

export function createCanaries(): Canaries {
  const kinds = new Map<string, string>();

  function add(kind: string, value: string | null | undefined): void {
    if (value == null || value.length < shortest) return;
    kinds.set(value.slice(0, telltale), kind);
    if (value.split(".").length >= 3) kinds.set(value.slice(-telltale), kind);
  }

  function addParameters(parameters: URLSearchParams): void {
    for (const [name, value] of parameters) if (secretParameters.includes(name)) add(name, value);
  }

  return {
    add,
    addParameters,
    addRequest({ query, form, headers }) {
      addParameters(query);
      addParameters(form);
      add("authorization header", headers.authorization?.split(" ", 2)[1]);
    },
    foundIn(text) {
      const found = new Set<string>();
      for (const [value, kind] of kinds) if (text.includes(value)) found.add(kind);
      return [...found];
    },
    get size() {
      return kinds.size;
    },
  };
}

/** Everything in a value as text, the insides of errors and their causes included. */
export function everythingIn(value: unknown): string {
  const seen = new Set<unknown>();
  function open(part: unknown): unknown {
    if (typeof part !== "object" || part === null) return part;
    if (seen.has(part)) return "(again)";
    seen.add(part);
    if (part instanceof Error) {
      const { name, message, stack, cause } = part;
      return { ...openMembers(part), name, message, stack, cause: open(cause) };
    }
    if (part instanceof URLSearchParams) return part.toString();
    if (part instanceof Headers) return [...part];
    return Array.isArray(part) ? part.map(open) : openMembers(part);
  }
  function openMembers(part: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, open(member)]));
  }
  return JSON.stringify(open(value)) ?? "";
}
