import { test } from "vitest";

import { expectFirstSignIn } from "./first-sign-in.ts";

test("npm run dev signs in with express after init, by the printed words alone [FH-009]", () =>
  expectFirstSignIn("express", ["express"]));
