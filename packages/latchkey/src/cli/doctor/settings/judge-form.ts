import { failure, type Judgement, orOK, warning } from "../finding.ts";
import type { Project } from "./project.ts";

function values({ variables }: Project): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    name.startsWith("LATCHKEY_") && value !== undefined ? [[name, value]] : [],
  );
}

/** Variables whose unquoted value goes on after a `#`. After a space it begins a comment. */
function cutValues(text: string): readonly string[] {
  const lines = text.matchAll(/^\s*(?:export\s+)?(LATCHKEY_\w+)\s*=\s*[^\s"'`#][^\s#]*#/gm);
  return [...lines].map(([, name = ""]) => name);
}

export function judgeForm(project: Project): readonly Judgement[] {
  const ofFiles = project.files.flatMap(({ name, text }) => {
    if (text.startsWith("\uFEFF")) {
      return [
        failure(
          `${name} begins with a byte order mark, so its first variable is not read.`,
          `Save ${name} as UTF-8 without a byte order mark.`,
        ),
      ];
    }
    if (text.includes("\0")) {
      return [failure(`${name} is not UTF-8.`, `Save ${name} as UTF-8.`)];
    }
    return cutValues(text).map((variable) =>
      failure(
        `${name} has a # in ${variable} without quotation marks, so the value ends there.`,
        "Put the value between quotation marks.",
      ),
    );
  });
  const ofValues = values(project).flatMap(([name, value]) => {
    if (/^(["'`]).*\1$/s.test(value)) {
      return [failure(`The quotation marks are part of ${name}.`, "Remove them.")];
    }
    if (/\r/.test(value)) {
      return [failure(`${name} ends with a carriage return.`, "Save the file with LF line ends.")];
    }
    if (value !== value.trim()) {
      return [warning(`${name} begins or ends with a space.`, "Remove the space.")];
    }
    if (name.endsWith("KEY") && value.includes("\\n")) {
      return [
        failure(
          `${name} has \\n as text in place of line breaks.`,
          "Write real line breaks between quotation marks, or name a file with LATCHKEY_CLIENT_ASSERTION_SIGNING_KEY_FILE.",
        ),
      ];
    }
    return [];
  });
  return orOK([...ofFiles, ...ofValues]);
}
