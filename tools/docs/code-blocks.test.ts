import { describe, expect, it } from "vitest";
import { codeModules } from "./code-blocks.ts";
import { faultsOf } from "./compile-code-blocks.ts";

const fence = "```";

function page(...lines: string[]): string {
  return ["# A page", "", ...lines].join("\n");
}

describe("the code blocks of a page", () => {
  it("are fenced as ts or tsx, each a module with the line numbers of the page", () => {
    const text = page(
      `${fence}ts`,
      "one();",
      fence,
      `${fence}sh`,
      "no",
      fence,
      `${fence}tsx`,
      "<b />;",
      fence,
    );
    expect(codeModules(text)).toEqual([
      { line: 4, extension: "ts", text: "\n\n\none();" },
      { line: 10, extension: "tsx", text: "\n\n\n\n\n\n\n\n\n<b />;" },
    ]);
  });

  it("contain the block before if the fence says so", () => {
    const block = (info: string, code: string) => [`${fence}ts${info}`, code, fence];
    const text = page(...block("", "a"), ...block(" continues", "b"), ...block(" continues", "c"));
    const [, second, third] = codeModules(text).map((module) => module.text.split("\n"));
    expect(second).toEqual(["", "", "", "a", "", "", "b"]);
    expect(third).toEqual(["", "", "", "a", "", "", "b", "", "", "c"]);
  });

  it("lose only the indentation of a list", () => {
    const text = page("- item", `  ${fence}ts`, "  if (a)", "    b();", `  ${fence}`);
    expect(codeModules(text)[0]?.text.trim()).toBe("if (a)\n  b();");
  });
});

it("a block with a compile error is reported with its page and line", () => {
  const text = page(
    `${fence}ts`,
    'import { rmSync } from "node:fs";',
    'rmSync("a", { recursiv: true });',
    fence,
    `${fence}ts`,
    "rmSync;",
    fence,
  );
  const faults = faultsOf([
    { name: "docs/a.md", text },
    { name: "docs/b.md", text: page(`${fence}ts`, "yourApp();", fence) },
  ]);
  expect(faults.toSorted()).toEqual([
    expect.stringMatching(/^docs\/a\.md:5: .*recursiv/),
    expect.stringMatching(/^docs\/a\.md:8: Cannot find name 'rmSync'/),
    expect.stringMatching(/^docs\/b\.md:4: Cannot find name 'yourApp'/),
  ]);
});
