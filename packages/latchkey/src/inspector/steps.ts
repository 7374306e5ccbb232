import { codeOf, textOf } from "../errors/reasons.ts";
import { parseSetCookie } from "../http/cookies.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Followed } from "./followed.ts";
import { type Hide, maskParameter } from "./mask.ts";
import type { Fact, SetCookie, Step } from "./sign-in.ts";

/** Returns a step with no secret left in any of its texts. */
export function hideStep(hide: Hide, step: Step): Step {
  const { facts, checks, documents, cookies } = step;
  return {
    ...step,
    facts: facts.map(([name, value]) => [hide(name), hide(value)]),
    ...(checks && {
      checks: checks.map((each) => ({
        ...each,
        expected: hide(each.expected),
        actual: hide(each.actual),
      })),
    }),
    ...(documents && {
      documents: documents.map(({ title, text }) => ({ title, text: hide(text) })),
    }),
    ...(cookies && { cookies: cookies.map((each) => ({ ...each, name: hide(each.name) })) }),
  };
}

export function parameterFacts(parameters: URLSearchParams): readonly Fact[] {
  return [...parameters].map(([name, value]) => [name.slice(0, 100), maskParameter(name, value)]);
}

/** With whom and where a sign-in is: empty in an app with one connection and one host. */
export function placeOf({ config, connections }: Followed["context"], id: string): string {
  const { baseURL, baseURLs } = config;
  return [
    ...(connections.default.named === undefined ? [] : [id]),
    ...(baseURLs.length > 1 ? [new URL(baseURL).host] : []),
  ].join(" at ");
}

/** Why a sign-in ended, as the log says it. */
export function refusalStep(
  { reason, kind, status, reference, detail, error }: NonNullable<Followed["seen"]["refusal"]>,
  { context }: Pick<Followed, "context">,
): Step {
  return {
    title: "Refused",
    at: context.clock(),
    facts: [
      ["reason", `${reason} (${codeOf(reason)})`],
      ...(kind === undefined ? [] : [["kind", kind] as const]),
      ["meaning", textOf(reason, kind)],
      ...(detail === undefined ? [] : [["detail", detail] as const]),
      ...(error === undefined
        ? []
        : [
            [
              "error",
              error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
            ] as const,
          ]),
      ["status", String(status)],
      ...(reference === undefined ? [] : [["reference", reference] as const]),
    ],
  };
}

/** Returns the cookies of a response, without their values. */
export function setCookiesOf({ headers }: ResponseParts): readonly SetCookie[] {
  return headers.flatMap(([header, line]) => {
    if (header !== "Set-Cookie") return [];
    const { name, value = "" } = parseSetCookie(line);
    const flags = line
      .split(";")
      .slice(1)
      .map((each) => each.trim());
    return [{ name, bytes: value.length, flags: flags.join("; ") }];
  });
}
