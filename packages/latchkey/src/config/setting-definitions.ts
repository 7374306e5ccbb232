import type * as v from "valibot";

import { connectionSchema, settingsSchema } from "./settings-schema.ts";

/** How the environment spells the value of a setting; `texts` are one text or several. */
export type SettingKind = "string" | "number" | "boolean" | "list" | "record" | "texts";

/** One setting: its place in the options, its variable, and its default. */
export interface SettingDefinition {
  readonly path: readonly string[];
  /** As written in code, e.g. `session.cookie.secure`. */
  readonly option: string;
  /** e.g. `LATCHKEY_SESSION_COOKIE_SECURE`. */
  readonly variable: string;
  readonly kind: SettingKind;
  /** `undefined` if the setting has none. */
  readonly defaultValue: unknown;
  readonly required: boolean;
}

/** Options whose values never appear in a message. */
export const secretOptions = ["secret", "clientSecret", "clientAssertionSigningKey"] as const;

export function isSecretOption(option: string): boolean {
  return secretOptions.some((secret) => option === secret || option.startsWith(`${secret}.`));
}

/** The environment variable of an option: `LATCHKEY_` and its path in capitals. */
export function variableOf(option: string): string {
  const words = option
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/[.[\]]+/g, "_")
    .replace(/_$/, "");
  return `LATCHKEY_${words.toUpperCase()}`;
}

/** One text, or several with white space between them. */
const severalTexts = ["secret", "baseURL"];

/** Every setting, in the order of the schema. */
export const settingDefinitions: readonly SettingDefinition[] = definitionsOf(settingsSchema, []);

/** Every setting of a connection beside that of the flat settings. */
export const connectionDefinitions: readonly SettingDefinition[] = definitionsOf(
  connectionSchema,
  [],
);

type AnySchema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly default?: unknown;
  readonly options?: readonly unknown[];
};

function definitionsOf(schema: AnySchema, path: readonly string[]): readonly SettingDefinition[] {
  return Object.entries(schema.entries ?? {}).flatMap(([name, entry]) => {
    const inner = entry.wrapped ?? entry;
    const place = [...path, name];
    return inner.entries === undefined
      ? [definitionOf(place, entry, inner)]
      : definitionsOf(inner, place);
  });
}

function definitionOf(
  path: readonly string[],
  entry: AnySchema,
  inner: AnySchema,
): SettingDefinition {
  const option = path.join(".");
  return {
    path,
    option,
    variable: variableOf(option),
    kind: severalTexts.includes(option) ? "texts" : kindOf(inner),
    defaultValue: entry.default,
    required: entry.wrapped === undefined,
  };
}

function kindOf(schema: AnySchema): SettingKind {
  switch (schema.type) {
    case "boolean":
    case "record":
    case "number":
      return schema.type;
    case "union":
      return "number";
    case "array":
      return "list";
    case "picklist":
      return typeof schema.options?.[0] === "number" ? "number" : "string";
    default:
      return "string";
  }
}
