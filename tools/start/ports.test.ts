import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { portFault } from "./ports.ts";

it.each(["127.0.0.1", "0.0.0.0"])(
  "the message names the port and the variable when %s is taken, and nothing when it is free",
  async (host) => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const fault = await portFault(port, "LATCHKEY_PROVIDER_PORT");
    expect(fault).toContain(`Port ${port} is taken`);
    expect(fault).toContain(`LATCHKEY_PROVIDER_PORT=${port + 1}`);
    server.close();
    await once(server, "close");
    expect(await portFault(port, "PORT")).toBeUndefined();
  },
);
