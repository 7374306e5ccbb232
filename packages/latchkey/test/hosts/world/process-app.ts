/** A process of its own with the example application of the host that its argument names: prints its port. */
import { createAuth } from "latchkey";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { publicPaths } from "../../../../../conformance/suite/example.ts";
import { hosts } from "./hosts.ts";

const host = hosts.find(({ name }) => name === process.argv[2]);
const auth = createAuth({
  baseURL: "http://localhost:1",
  issuerBaseURL: "http://localhost:2",
  clientID: "client",
  clientSecret: "client-secret",
  secret: "a-secret-of-the-host-suite-0123456789abcdef",
  publicPaths: [...publicPaths, "/api/", "/late", "/fetched"],
});
const nowhere = { upstream: "http://localhost:3", files: "." };
const server = createServer(host?.app(auth, nowhere)).listen(0, "localhost", () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
