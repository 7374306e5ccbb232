import { ambient } from "../config/ambient.ts";
import { fetchTransport } from "./fetch-transport.ts";
import type { Transport } from "./transport.ts";

/** Calls the provider with what the runtime has: where only Web APIs exist, its `fetch`. */
export const providerTransport: Transport = fetchTransport(ambient.fetch);
