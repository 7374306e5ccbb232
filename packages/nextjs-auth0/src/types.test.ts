import { expectTypeOf, test } from "vitest";

import type * as onNode from "./index.ts";
import type * as notOnNode from "./not-on-node.ts";
import type { AppRouteHandlerFn } from "./types.ts";

test("a route handler has the type of the checks in a build of Next.js 15", () => {
  type Context = Parameters<AppRouteHandlerFn>[1];
  expectTypeOf<Context>().toExtend<{ params: Promise<Record<string, string>> }>();
});

test("the entry point for browsers and the Edge runtime has the names of the one for Node.js", () => {
  expectTypeOf<keyof typeof notOnNode>().toEqualTypeOf<keyof typeof onNode>();
});
