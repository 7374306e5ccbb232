import { parseEnv } from "node:util";

import { failure, type Judgement, orOK, warning } from "../finding.ts";
import { judgeLoader } from "./judge-loader.ts";
import type { Project, VariableFile } from "./project.ts";

function values({ variables }: Project): readonly (readonly [name: string, value: string])[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    name.startsWith("LATCHKEY_") && value !== undefined ? [[name, value]] : [],
  );
}

const assignment = "^[^\\S\\n]*(?:export\\s+)?(LATCHKEY_\\w+)[^\\S\\n]*=[^\\S\\n]*";

/** Variables whose unquoted value begins with a `#` or goes on after one. */
function cutValues(text: string): readonly string[] {
  const lines = text.matchAll(new RegExp(`${assignment}(?:[^\\s"'\`#][^\\s#]*)?#\\S`, "gm"));
  return [...lines].map(([, name = ""]) => name);
}

/** Variables whose value goes on after the closing quotation mark. */
function endedValues(text: string): readonly string[] {
  const lines = text.matchAll(new RegExp(`${assignment}(["'\`])[^"'\`\\n]*\\2[^\\s#]`, "gm"));
  return [...lines].map(([, name = ""]) => name);
}

/** A byte order mark belongs to the first line, which may be a comment. */
function losesFirst(text: string): boolean {
  if (!text.startsWith("\uFEFF")) return false;
  const read = parseEnv(text);
  return Object.entries(parseEnv(text.slice(1))).some(([name, value]) => read[name] !== value);
}

function judgeFile({ name, text }: VariableFile): readonly Judgement[] {
  if (losesFirst(text)) {
    return [
      failure(
        `${name} begins with a byte order mark, so its first variable is not read.`,
        `Save ${name} as UTF-8 without a byte order mark.`,
      ),
    ];
  }
  if (/[\0\uFFFD]/.test(text)) {
    return [failure(`${name} is not UTF-8.`, `Save ${name} as UTF-8.`)];
  }
  if (/\r(?!\n)/.test(text)) {
    return [
      failure(
        `${name} has carriage returns without line feeds, so its lines run together.`,
        `Save ${name} with LF line ends.`,
      ),
    ];
  }
  return [
    ...cutValues(text).map((variable) =>
      failure(
        `${name} has a # in ${variable} without quotation marks, so the value ends there.`,
        "Put the value between quotation marks.",
      ),
    ),
    ...endedValues(text).map((variable) =>
      failure(
        `${name} has more in ${variable} after the closing quotation mark, which is not read.`,
        "Put all of the value between one pair of quotation marks.",
      ),
    ),
  ];
}

/** No one sees them: spaces other than U+0020, soft hyphens, zero widths, marks of direction. */
const invisible =
  /[\u00A0\u00AD\u061C\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF]|[^\P{Cc}\n\r\t]/u;

/** Editors put them in place of `"`, `'` and `-`. */
const typographic = /[\u2010-\u2015\u2018-\u201F\u2212]/u;

/** Names and rules hold texts for people, such as those of groups. */
const asText = /_(?:NAME|RULES)$/;

function judgeValue([name, value]: readonly [string, string]): readonly Judgement[] {
  if (/^(["'`]).*\1$/s.test(value)) {
    return [failure(`The quotation marks are part of ${name}.`, "Remove them.")];
  }
  if (/\n\s*(?:export\s+)?LATCHKEY_\w+\s*=/.test(value) || /^(["'`])(?!.*\1)/s.test(value)) {
    return [
      failure(
        `The quotation mark at the beginning of ${name} has no end.`,
        "Close it at the end of the value, or remove it.",
      ),
    ];
  }
  if (/\r/.test(value)) {
    return [failure(`${name} ends with a carriage return.`, "Save the file with LF line ends.")];
  }
  const [hidden] = invisible.exec(value) ?? invisible.exec(name) ?? [];
  if (hidden !== undefined && !asText.test(name)) {
    const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    return [
      failure(
        `${name.replace(invisible, "")} has an invisible character in it, U+${code}.`,
        "Type the line anew instead of copying it.",
      ),
    ];
  }
  const [dressed] = typographic.exec(value) ?? [];
  if (dressed !== undefined && !asText.test(name)) {
    return [
      failure(
        `${name} has ${dressed} in it, which a program for texts has put there.`,
        "Type it anew: with the quotation marks and the hyphen of the keyboard.",
      ),
    ];
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
}

export function judgeForm(project: Project): readonly Judgement[] {
  return orOK([
    ...project.files.flatMap(judgeFile),
    ...values(project).flatMap(judgeValue),
    ...judgeLoader(project),
  ]);
}
