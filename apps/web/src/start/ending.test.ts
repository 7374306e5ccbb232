import { createServer } from "node:http";
import { expect, test, vi } from "vitest";

import { createEnding } from "./ending.ts";
import { createLogger } from "./log.ts";

test.each([
  ["three", async () => 3, { level: "warn", signOutsLost: 3 }],
  ["none", async () => 0, { level: "info", signOutsLost: 0 }],
  ["unknown, since the store fails", () => Promise.reject(new Error("down")), { signOutsLost: 0 }],
])(
  "the last line counts the sign-outs that the store does not know: %s",
  async (_name, pendingSignOuts, expected) => {
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    try {
      const lines: string[] = [];
      createEnding({
        server: createServer().listen(0, "127.0.0.1"),
        isAutomatic: () => false,
        times: { delayMs: 0, limitMs: 1000 },
        logger: createLogger("info", { write: (line) => void lines.push(line) }),
        output: { flush: async () => undefined },
        onBegin: () => undefined,
        pendingSignOuts,
      }).end("signal");
      await expect.poll(() => exit.mock.calls).toEqual([[0]]);
      expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ event: "ended", ...expected });
    } finally {
      exit.mockRestore();
    }
  },
);
