import { expectTypeOf, test } from "vitest";
import type * as v from "valibot";

import type { settingsSchema } from "./settings-schema.ts";
import type { Settings } from "./settings.ts";

/** Every option present, and every list read-only, so equality compares names and values alone. */
type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { [Name in keyof T]-?: Complete<Exclude<T[Name], undefined>> }
    : T;

/** A list of base URLs is taken apart before the check. */
type Checked = Omit<Settings, "baseURL"> & { baseURL: string };

test("the schema accepts exactly the settings of the interface", () => {
  expectTypeOf<Complete<v.InferInput<typeof settingsSchema>>>().toEqualTypeOf<Complete<Checked>>();
});
