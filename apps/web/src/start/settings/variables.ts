import type { ConfigFault, Environment } from "latchkey";
import * as v from "valibot";

type Schema = v.GenericSchema<string, unknown>;

/** The values of variables; `undefined` for a missing or unusable one. */
export type Values<Schemas extends Readonly<Record<string, Schema>>> = {
  readonly [Name in keyof Schemas]: v.InferOutput<Schemas[Name]> | undefined;
};

/** Reads variables, each by its schema. A variable of spaces alone counts as not set. */
export function readVariables<Schemas extends Readonly<Record<string, Schema>>>(
  environment: Environment,
  schemas: Schemas,
): { readonly values: Values<Schemas>; readonly faults: readonly ConfigFault[] } {
  const faults: ConfigFault[] = [];
  const values = Object.entries(schemas).flatMap(([variable, schema]) => {
    const text = environment[variable]?.trim();
    if (text === undefined || text === "") return [];
    const result = v.safeParse(schema, text);
    if (result.success) return [[variable, result.output]];
    faults.push(faultOf(variable, result.issues[0].message, { seen: text }));
    return [];
  });
  return { values: Object.fromEntries(values) as Values<Schemas>, faults };
}

/** @param shown - `seen` is the value found, never a secret */
export function faultOf(
  variable: string,
  message: string,
  shown: Partial<Pick<ConfigFault, "seen" | "remedy">> = {},
): ConfigFault {
  const remedy = `Change ${variable}, or leave it out.`;
  return { option: variable, variable, message, seen: undefined, remedy, ...shown };
}

export const text = v.string();

const portRule = "must be a whole number from 0 to 65535";

export const port = v.pipe(
  v.string(),
  v.regex(/^\d+$/, portRule),
  v.transform(Number),
  v.maxValue(65_535, portRule),
);
