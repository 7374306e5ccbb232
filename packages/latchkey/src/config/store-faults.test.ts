import { expect, test } from "vitest";

import { ConfigError } from "../errors/config-error.ts";
import { storeFaults } from "./store-faults.ts";

test("takes the faults of a ConfigError as they are", () => {
  const fault = {
    option: "store",
    variable: "LATCHKEY_STORE",
    message: "is odd",
    remedy: "Change.",
  };
  expect(storeFaults(new ConfigError([fault]))).toEqual([fault]);
});

test.each([
  [new Error("disk full"), "cannot be opened: disk full"],
  ["no", "cannot be opened: no"],
])("makes a fault of the option store from %j", (error, message) => {
  expect(storeFaults(error)).toMatchObject([{ option: "store", message }]);
});
