import { expect, test } from "vitest";

import { isTokenReason } from "../../packages/latchkey/src/errors/reasons.ts";
import { kindsOf } from "../../packages/latchkey/src/errors/token-reasons.ts";
import { signInChecks } from "../../packages/latchkey/src/routes/sign-in-checks.ts";
import { checksPage, sections } from "./checks-page.ts";

const lists = sections.flatMap((section) => Object.values(section.lists));

test("every check on the page says what must hold, and links its reason", () => {
  const rows = [...checksPage().matchAll(/^\| (.+?) \| (.*?) \| \[(\w+)\]/gm)];
  expect(rows).toHaveLength(lists.reduce((sum, { checks }) => sum + checks.length, 0));
  expect(rows.filter(([, , rule = ""]) => rule.length < 15)).toEqual([]);
});

test("the page has the checks of a sign-in in their order", () => {
  const isOfSignIn = (list: (typeof lists)[number]) => signInChecks.includes(list);
  expect(lists.filter(isOfSignIn)).toEqual(signInChecks);
});

test("each reason of a token has a text for the kind of its list", () => {
  const odd = lists.flatMap(({ kind, checks }) =>
    checks.filter(
      ({ reason }) =>
        isTokenReason(reason) && (kind === undefined || !kindsOf(reason).includes(kind)),
    ),
  );
  expect(odd).toEqual([]);
});
