import { describe, expect, test } from "vitest";

import type { LogEvent } from "../../telemetry/log-event.ts";
import {
  createMemberReader,
  optionalBoolean,
  optionalText,
  optionalTexts,
  readDocument,
} from "./provider-document.ts";

function reader() {
  const messages: string[] = [];
  const log = (event: LogEvent) => {
    if (event.event === "warning") messages.push(event.message);
  };
  return { read: createMemberReader(log), messages };
}

describe("an optional member", () => {
  const optional = { name: optionalText, names: optionalTexts, flag: optionalBoolean };

  test("is kept as it came, beside all other members", () => {
    const { read, messages } = reader();
    const members = { name: "a", names: ["a", "b"], flag: false, other: 7 };
    expect(read("metadata", members, optional)).toEqual(members);
    expect(messages).toEqual([]);
  });

  test("which is null is absent, without a word", () => {
    const { read, messages } = reader();
    const members = { name: null, names: null, flag: null, other: null };
    expect(read("metadata", members, optional)).toEqual({});
    expect(messages).toEqual([]);
  });

  test.each([
    [{ name: "" }, "name is an empty text, not a text"],
    [{ name: 7 }, "name is a number, not a text"],
    [{ names: "a" }, "names is a text, not a list of texts"],
    [{ names: ["a", 7] }, "names is a list, not a list of texts"],
    [{ names: {} }, "names is an object, not a list of texts"],
    [{ flag: "false" }, "flag is a text, not true or false"],
  ])("is absent if it is unusable, as in %j, with one warning", (members, fault) => {
    const { read, messages } = reader();
    expect(read("metadata", members, optional)).toEqual({});
    expect(read("metadata", members, optional)).toEqual({});
    expect(messages).toEqual([`The provider's metadata: ${fault}, and counts as absent.`]);
  });

  test("is read as its reader returns it", () => {
    const { read } = reader();
    const joined = { expected: "a list", read: (value: unknown) => [value].flat().join(" ") };
    const { scope } = read("token response", { scope: ["a", "b"] }, { scope: joined });
    expect(scope).toBe("a b");
  });

  test("of each document has a warning of its own, without its value", () => {
    const { read, messages } = reader();
    read("metadata", { name: ["secret"] }, optional);
    read("userinfo", { name: ["secret"] }, optional);
    expect(messages).toHaveLength(2);
    expect(messages.join(" ")).not.toContain("secret");
  });
});

describe("a document", () => {
  const read = (body: BodyInit) => readDocument(new Response(body), "key set", "keys_invalid");

  test("is read without its nulls", async () => {
    expect(await read('{"a":1,"b":null}')).toEqual({ a: 1 });
  });

  test.each<[BodyInit, string]>([
    ["", "it is empty"],
    ["\uFEFF{}", "it begins with a byte order mark"],
    [Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), "it begins with a byte order mark"],
    [Uint8Array.of(0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d), "it is not UTF-8"],
    ["<!doctype html>", "it is HTML or XML"],
    ['{"a":1,}', "it is not JSON, or not all of it"],
    ["null", "it is null"],
    ["[]", "it is an empty list"],
    ['"text"', "it is a text"],
    ['{"keys":[],"keys":[]}', 'it has "keys" twice'],
    ['{"a":"\\ud83d"}', "it has half a surrogate pair"],
    [`${'{"a":'.repeat(65)}1${"}".repeat(65)}`, "it has more than 64 levels"],
  ])("is refused, and the log names the rule: %s", async (body, fault) => {
    await expect(read(body)).rejects.toMatchObject({
      reason: "keys_invalid",
      detail: `key set: not a JSON object: ${fault}`,
    });
  });
});
