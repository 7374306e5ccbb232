import type * as v from "valibot";

import { settingsSchema } from "./settings.ts";

/** What a setting holds, as far as reading it from the environment needs to know. */
export type SettingKind = "text" | "number" | "flag" | "list" | "record" | "secrets";

/** One setting: its place in the options, its variable, and what the docs say of it. */
export interface SettingRow {
  readonly path: readonly string[];
  /** As written in code, e.g. `session.cookie.secure`. */
  readonly option: string;
  /** e.g. `LATCHKEY_SESSION_COOKIE_SECURE`. */
  readonly variable: string;
  readonly kind: SettingKind;
  readonly purpose: string;
  readonly fallback: unknown;
  readonly required: boolean;
}

/** Secrets are never repeated in a message. */
const secretOptions: readonly string[] = ["secret", "clientSecret", "clientAssertionSigningKey"];

export function isSecretOption(option: string): boolean {
  return secretOptions.some((secret) => option === secret || option.startsWith(`${secret}.`));
}

/** The environment variable of an option: `LATCHKEY_` and its path in capitals; a list has one for all items. */
export function variableOf(option: string): string {
  const words = option
    .replace(/\.\d+$/, "")
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/[.[\]]+/g, "_")
    .replace(/_$/, "");
  return `LATCHKEY_${words.toUpperCase()}`;
}

/** Every setting, in the order of the schema. */
export const settingRows: readonly SettingRow[] = rowsOf(settingsSchema, []);

type AnySchema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly wrapped?: AnySchema;
  readonly default?: unknown;
  readonly pipe?: readonly unknown[];
  readonly options?: readonly unknown[];
};

function rowsOf(schema: AnySchema, path: readonly string[]): readonly SettingRow[] {
  return Object.entries(schema.entries ?? {}).flatMap(([name, entry]) => {
    const inner = entry.wrapped ?? entry;
    const place = [...path, name];
    return inner.entries === undefined ? [rowOf(place, entry, inner)] : rowsOf(inner, place);
  });
}

function rowOf(path: readonly string[], entry: AnySchema, inner: AnySchema): SettingRow {
  const option = path.join(".");
  return {
    path,
    option,
    variable: variableOf(option),
    kind: option === "secret" ? "secrets" : kindOf(inner),
    purpose: descriptionOf(inner),
    fallback: entry.default,
    required: entry.wrapped === undefined,
  };
}

function kindOf(schema: AnySchema): SettingKind {
  switch (schema.type) {
    case "boolean":
      return "flag";
    case "number":
    case "union":
      return "number";
    case "array":
      return "list";
    case "record":
      return "record";
    case "picklist":
      return typeof schema.options?.[0] === "number" ? "number" : "text";
    default:
      return "text";
  }
}

function descriptionOf(schema: AnySchema): string {
  for (const step of schema.pipe ?? []) {
    if (isDescription(step)) return step.description;
  }
  return "";
}

function isDescription(step: unknown): step is { readonly description: string } {
  return typeof step === "object" && step !== null && "description" in step;
}
