import { expect, test } from "vitest";

import { hosts } from "../hosts.ts";
import { who } from "./who.ts";

test.each(hosts.map(({ id }) => id))("two lines show who is signed in with %s", (id) => {
  expect(who[id]?.place).toMatch(/^In /);
  expect(who[id]?.lines.join("\n")).toMatch(/\bauth(?:Context)?\b[^]*stranger/);
});
