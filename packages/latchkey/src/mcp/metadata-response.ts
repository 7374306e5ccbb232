import type { HeaderList } from "../http/headers.ts";
import { empty, json, type ResponseParts } from "../http/response-parts.ts";
import type { Resource } from "./resource.ts";

/** The document is public: clients in browsers of any origin read it. */
const publicHeaders: HeaderList = [
  ["Access-Control-Allow-Origin", "*"],
  ["Cache-Control", "public, max-age=300"],
];

const methods = "GET, HEAD, OPTIONS";

const preflightHeaders: HeaderList = [
  ["Access-Control-Allow-Methods", methods],
  ["Access-Control-Allow-Headers", "MCP-Protocol-Version, Accept, Content-Type"],
  ["Access-Control-Max-Age", "86400"],
];

/** Responds with the metadata of a protected resource (RFC 9728, section 3). */
export function metadataResponse({ metadata }: Resource, method: string): ResponseParts {
  if (method === "GET") return json(metadata(), 200, publicHeaders);
  if (method === "HEAD") return { ...json(metadata(), 200, publicHeaders), body: null };
  if (method === "OPTIONS") return empty(204, [...publicHeaders, ...preflightHeaders]);
  return empty(405, [["Allow", methods], ...publicHeaders]);
}
