import * as v from "valibot";

import { isJSONObject } from "../crypto/json-object.ts";
import { ConfigError, type ConfigFault } from "../errors/config-error.ts";
import { nearestName } from "./nearest-name.ts";

/** Options as an app has written them. */
type Given = Readonly<Record<string, unknown>>;

/** What an option of a part must be. A value of `undefined` counts as left out. */
export interface OptionForm {
  /** Goes on from the name of the option, such as `must be true or false`. */
  readonly expected: string;
  /**
   * Whether it has such a value; of a list of objects, whether the list as a whole is good. By
   * default only the forms below count.
   */
  readonly isGood?: (value: unknown) => boolean;
  /** Returns the forms of its own options, if it is an object. */
  readonly members?: (given: Given) => OptionForms;
  /** The same for each object, if it is a list of them. */
  readonly items?: (given: Given) => OptionForms;
  /** Whether it cannot be left out. By default it can. */
  readonly isRequired?: boolean;
  /** Whether no fault may show its value. By default one does. */
  readonly isSecret?: boolean;
  /** What to do about a fault. By default the option is changed in the call it belongs to. */
  readonly remedy?: string;
  /** The environment variable of the same option. By default there is none. */
  readonly variable?: string;
}

/** The forms of all options, by their names. Any other name is a fault. */
export type OptionForms = Readonly<Record<string, OptionForm>>;

/** Options as an app has written them, and what they must be. */
export interface WrittenOptions {
  /** Stands before the names of the options, such as `api`. */
  readonly place: string;
  /** The call which they belong to, such as `api()`. */
  readonly call: string;
  readonly options: unknown;
  readonly forms: OptionForms;
}

/** Returns every fault of options. */
export function faultsOfOptions(written: WrittenOptions): readonly ConfigFault[] {
  const parsed = v.safeParse(schemaOf(written.forms), written.options);
  // The minifier of Next.js 15.5 loses a default in a pattern here.
  return (parsed.issues ?? []).flatMap((issue) =>
    issue.expected === "never"
      ? unknownNames(written, issue.path ?? [])
      : [faultOf(written, issue)],
  );
}

/**
 * Checks options that no setting goes with.
 *
 * @throws {ConfigError} with every fault
 */
export function checkOptions(written: WrittenOptions): void {
  const faults = faultsOfOptions(written);
  if (faults.length > 0) throw new ConfigError(faults);
}

type Schema = v.GenericSchema;

/** Without a prototype: `constructor` is no known name. */
function schemaOf(forms: OptionForms): Schema {
  const entries: Record<string, Schema> = Object.create(null);
  for (const [name, form] of Object.entries(forms)) {
    const value = v.lazy((input: unknown) => valueSchema(form, input));
    entries[name] = form.isRequired === true ? value : v.optional(value);
  }
  return v.strictObject(entries, "must be an object of options");
}

function valueSchema({ expected, isGood, members, items }: OptionForm, input: unknown): Schema {
  const wrong = v.custom(() => false, expected);
  if (items === undefined || !Array.isArray(input)) {
    if (isGood?.(input) === true) return v.unknown();
    return members !== undefined && isJSONObject(input) ? schemaOf(members(input)) : wrong;
  }
  if (isGood?.(input) === false) return wrong;
  const itemSchema = (item: unknown) =>
    isJSONObject(item)
      ? schemaOf(items(item))
      : v.custom(() => false, "must be an object of options");
  return v.array(v.lazy(itemSchema));
}

type Path = readonly {
  readonly key?: unknown;
  readonly input?: unknown;
  readonly value?: unknown;
}[];

function faultOf(
  { place, call, forms }: WrittenOptions,
  { path, input, message }: v.BaseIssue<unknown>,
): ConfigFault {
  const form = formAt(forms, path ?? []);
  const { variable = "", remedy = `Change it where ${call} is called.`, isSecret } = form ?? {};
  const option = nameOf(place, path ?? []);
  if (input === undefined) {
    return { option, variable, message: path === undefined ? message : "is required", remedy };
  }
  const shown = isSecret === true ? {} : { seen: showValue(input) };
  return { option, variable, message, ...shown, remedy };
}

/** The schema reports only the first unknown name of an object. */
function unknownNames({ place, forms }: WrittenOptions, path: Path): readonly ConfigFault[] {
  const outer = path.slice(0, -1);
  const names = Object.keys(formsAt(forms, outer));
  const unknown = Object.keys(path.at(-1)?.input ?? {}).filter((name) => !names.includes(name));
  return unknown.map((name) => {
    const meant = nearestName(name, names);
    const option = nameOf(place, [...outer, { key: name }]);
    const remedy = meant === undefined ? "Remove it." : `Did you mean ${meant}?`;
    return { option, variable: "", message: "is not an option", remedy };
  });
}

/** Returns the forms of the options of an object. */
function formsAt(forms: OptionForms, path: Path): OptionForms {
  const last = path.at(-1);
  if (last === undefined) return forms;
  if (!isJSONObject(last.value)) return {};
  return typeof last.key === "number"
    ? (formAt(forms, path.slice(0, -1))?.items?.(last.value) ?? {})
    : (formAt(forms, path)?.members?.(last.value) ?? {});
}

function formAt(forms: OptionForms, path: Path): OptionForm | undefined {
  const name = path.at(-1)?.key;
  const siblings = formsAt(forms, path.slice(0, -1));
  return typeof name === "string" && Object.hasOwn(siblings, name) ? siblings[name] : undefined;
}

/** As in code: `api.issuers[0].issuer`. */
function nameOf(place: string, path: Path): string {
  const name = path
    .map(({ key }) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("");
  return (place + name).replace(/^\./, "");
}

/** Nothing of an object: it may hold a secret. */
function showValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== "object" && typeof each !== "function");
    return isPlain ? `[${value.map(String).join(", ")}]` : "a list";
  }
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
