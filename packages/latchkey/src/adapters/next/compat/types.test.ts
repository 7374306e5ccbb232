import { expectTypeOf, test } from "vitest";

import type { AppRouteHandlerFn } from "./types.ts";

test("a route handler has the type that the build of Next.js 15 checks", () => {
  type Context = Parameters<AppRouteHandlerFn>[1];
  expectTypeOf<Context>().toExtend<{ params: Promise<Record<string, string>> }>();
});
