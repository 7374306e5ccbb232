import { expect, test } from "vitest";

import { chunksOf } from "../../../../conformance/suite/rows/streams.ts";
import { onEveryHost } from "./world/hosts.ts";
import { worldOfTest } from "./world/host-world.ts";

test("server-sent events have the cookie in their head, and arrive as they are written, on every host [AD-023]", async () => {
  await onEveryHost(async ({ app }) => {
    const world = await worldOfTest({ app });
    const cookie = await (await world.signedIn()).cookies();
    const response = await fetch(`${world.baseURL}/private/events`, { headers: { cookie } });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^appSession\.t=/)]);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    const chunks = await chunksOf(response);
    expect([chunks[0]?.startsWith("data: one\n\n"), chunks.join("")]).toEqual([
      true,
      "data: one\n\ndata: two\n\ndata: three\n\n",
    ]);
    expect(chunks.length).toBeGreaterThan(1);
  });
});
