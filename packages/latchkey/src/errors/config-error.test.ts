import { execFileSync } from "node:child_process";
import { inspect } from "node:util";
import { expect, test } from "vitest";

import { ConfigError, type ConfigFault } from "./config-error.ts";

const fault = {
  option: "scope",
  variable: "LATCHKEY_SCOPE",
  message: "must contain openid",
  seen: "email",
  remedy: "Change LATCHKEY_SCOPE.",
} as const satisfies ConfigFault;

const required = {
  option: "clientID",
  variable: "LATCHKEY_CLIENT_ID",
  message: "is required",
  remedy: "Set LATCHKEY_CLIENT_ID.",
} as const satisfies ConfigFault;

const block = [
  "2 settings need attention.",
  "  LATCHKEY_CLIENT_ID / clientID: is required. Set LATCHKEY_CLIENT_ID.",
  "  LATCHKEY_SCOPE / scope: must contain openid (seen: email). Change LATCHKEY_SCOPE.",
].join("\n");

function seenOf(seen: string): string | undefined {
  return new ConfigError([{ ...fault, seen }]).faults[0]?.seen;
}

test("a ConfigError has a line for each fault with variable, option, message, value and remedy", () => {
  const error = new ConfigError([required, fault]);
  expect(error.message).toBe(block);
  expect(error.code).toBe("ERR_CONFIG");
  expect(error.name).toBe("ConfigError");
  expect(error.faults).toEqual([required, fault]);
});

test("a ConfigError names a setting with only a variable once", () => {
  const { message } = new ConfigError([{ ...required, option: required.variable }]);
  expect(message).toContain("\n  LATCHKEY_CLIENT_ID: is required.");
});

test("a ConfigError is printed as its message alone, without stack and properties", () => {
  expect(inspect(new ConfigError([required, fault]))).toBe(`[ConfigError: ${block}]`);
});

test("a ConfigError is printed once by a program without a catch", () => {
  const module = JSON.stringify(new URL("config-error.ts", import.meta.url).href);
  const program = `
    import { ConfigError } from ${module};
    async function ready() { throw new ConfigError(${JSON.stringify([required, fault])}); }
    await ready();`;
  expect(() =>
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { stdio: "pipe" }),
  ).toThrow(
    expect.objectContaining({
      stderr: expect.toSatisfy((output: Buffer) => output.toString().split(block).length === 2),
    }),
  );
});

test.each([
  ["https://user:password@op.example", "https://[hidden]@op.example"],
  ["https://user:pass@word/?#@op.example", "https://[hidden]@op.example"],
  ["user:pass word@op.example", "[hidden]@op.example"],
  ["https://user:pass\nword@op.example", "https://[hidden]@op.example"],
  [`https://user:${"p".repeat(500)}@op.example`, "https://[hidden]@op.example"],
  ['["https://user:password@op.example"]', '[hidden]@op.example"]'],
])("a ConfigError hides user name and password of the address %j", (address, shown) => {
  expect(seenOf(address)).toBe(shown);
});

test("a ConfigError shows other values on one line, cut after 100 characters", () => {
  expect(seenOf("email\nprofile")).toBe("email profile");
  expect(seenOf("x".repeat(5000))).toBe(`${"x".repeat(100)}…`);
});
