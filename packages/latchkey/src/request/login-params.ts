import { connectionIDForm } from "../config/constants.ts";
import {
  isProtocolParameter,
  type LoginParams,
  parameterNameForm,
} from "../config/protocol-parameters.ts";
import { Refusal } from "../errors/refusal.ts";

/** Parameters of one sign-in as a handler names them; those without a value are left out. */
export type GivenParams = Readonly<Record<string, string | number | undefined>>;

/** All names and values together, in characters: they are part of an address. */
const charactersAtMost = 2000;

/**
 * Returns the parameters that a handler sets. Their values may come from the request.
 *
 * @throws {TypeError} for a name that cannot be set
 * @throws {Refusal} `parameter_invalid` for a value that is no text, or too long
 */
export function readGivenParams(given: GivenParams): LoginParams {
  const params = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name] of params) {
    if (isProtocolParameter(name)) throw new TypeError(`login() cannot set ${name}.`);
    if (!parameterNameForm.test(name)) throw new TypeError("login() has no such parameter.");
  }
  return checkParams(params.map(([name, value]) => [name, textOf(name, value)]));
}

/**
 * Returns the id of a connection that a handler names. It may come from the request.
 *
 * @throws {Refusal} `parameter_invalid` for what is no id; an unknown one is found by login
 */
export function readGivenConnection(id: string | undefined): string | undefined {
  if (id === undefined || (typeof id === "string" && connectionIDForm.test(id))) return id;
  throw new Refusal("parameter_invalid", { detail: "connection is no id" });
}

/** A request may have a list or an object in place of the text. */
function textOf(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return `${value}`;
  throw new Refusal("parameter_invalid", { detail: `${name} is no text` });
}

/**
 * Returns parameters for the provider, without empty ones (RFC 6749, 3.1).
 *
 * @throws {Refusal} `parameter_invalid`
 */
export function checkParams(params: Iterable<readonly [string, string]>): LoginParams {
  const kept = [...params].filter(([, value]) => value !== "");
  const length = kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (length > charactersAtMost) {
    const detail = `the parameters have more than ${charactersAtMost} characters`;
    throw new Refusal("parameter_invalid", { detail });
  }
  for (const [name, value] of kept) checkValue(name, value);
  return Object.fromEntries(kept);
}

function checkValue(name: string, value: string): void {
  if (/\p{Cc}/u.test(value)) {
    throw new Refusal("parameter_invalid", { detail: `${name} has a control character` });
  }
  if (name === "max_age" && !/^\d{1,9}$/.test(value)) {
    throw new Refusal("parameter_invalid", { detail: "max_age is no number of seconds" });
  }
}
