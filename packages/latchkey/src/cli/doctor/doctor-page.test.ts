import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, test } from "vitest";

import { addressChecks, appChecks } from "./app/app-checks.ts";
import { providerChecks } from "./provider/provider-checks.ts";
import { settingChecks } from "./settings/setting-checks.ts";
import { storeChecks } from "./store/check-store.ts";

const page = path.join(import.meta.dirname, "../../../../../docs/doctor.md");

test("the page of the doctor has a heading for each check, and no other", () => {
  const checks = [settingChecks, storeChecks, providerChecks, addressChecks, appChecks].flat();
  const headings = [...readFileSync(page, "utf8").matchAll(/^### (D\d\d)$/gm)].map(([, id]) => id);
  expect(headings.toSorted()).toEqual(checks.map(({ id }) => id).toSorted());
});
