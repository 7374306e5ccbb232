import { createHash } from "node:crypto";
import type { Client } from "oidc-provider";
import type { ProtocolDeps } from "./protocol-deps.ts";
import { requireResource, resourceServerInfo } from "./resources.ts";

/**
 * The features of oidc-provider that APIs and their clients need; the settings switch them on.
 * Resource indicators and DPoP are always on: nothing changes for a client that sends neither a
 * resource nor a proof.
 */
export function apiFeatures({ settings, keys }: ProtocolDeps): Record<string, unknown> {
  const { resources = [], introspection = false, registration = false } = settings;
  const { clientIDMetadataDocuments = false, dpopNonce = false } = settings;
  return {
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      getResourceServerInfo: (_context: unknown, identifier: string) =>
        resourceServerInfo(requireResource(resources, identifier)),
    },
    introspection: { enabled: introspection, allowedPolicy: introspectionByConfidentialClients },
    jwtIntrospection: { enabled: introspection },
    registration: { enabled: registration },
    dPoP: {
      enabled: true,
      nonceSecret: createHash("sha256").update(keys.cookieKeys.join()).digest(),
      requireNonce: () => dpopNonce,
    },
    clientIdMetadataDocument: { enabled: clientIDMetadataDocuments, ack: "draft-02" },
  };
}

async function introspectionByConfidentialClients(
  _context: unknown,
  client: Client,
): Promise<boolean> {
  return client.clientAuthMethod !== "none";
}
