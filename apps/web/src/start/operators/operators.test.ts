import { tmpdir } from "node:os";
import { expect, test } from "vitest";

import { createOperationState } from "./operation-state.ts";
import { createOperators } from "./operators.ts";
import { createOutput } from "../log.ts";
import { noObservers } from "../running-app.support.ts";
import { readAppSettings } from "../settings/settings.ts";

test.each([
  ["/dev/null/audit.log", "ENOTDIR|EEXIST"],
  [tmpdir(), "EISDIR"],
])("the fault of an unusable audit file names its variable: %s", (path, code) => {
  const environment = { LATCHKEY_AUDIT: path, LATCHKEY_AUDIT_KEY: "a key of sixteen characters" };
  const { settings } = readAppSettings(environment);
  const outputs = { output: createOutput(), logger: noObservers.logger };
  const create = () => createOperators(environment, settings, createOperationState(), outputs);
  expect(create).toThrow(
    expect.objectContaining({
      faults: [
        expect.objectContaining({
          variable: "LATCHKEY_AUDIT",
          seen: path,
          message: expect.stringMatching(`cannot be opened: (?:${code}): `),
        }),
      ],
    }),
  );
});
