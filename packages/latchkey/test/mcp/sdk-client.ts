import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  type StoredOAuthClientInformation,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";

import { createBrowser } from "../browser/browser.ts";

/** The official client of MCP, with a person at its browser. */
export interface SDKClient {
  /** What it has sent, as `METHOD path status`. */
  readonly requests: string[];
  readonly tokens: () => OAuthTokens | undefined;
  /** The revision of MCP that it spoke last. */
  readonly revision: () => string | undefined;
  /** The client ID by which the provider knows it. */
  readonly clientID: () => string | undefined;
  /** Calls a tool; signs the person in at the provider when the server requires it. */
  call(tool: string, input?: Record<string, unknown>): Promise<string>;
}

export interface SDKClientOptions {
  readonly url: string;
  readonly provider: string;
  /** The address of its client ID metadata document. Without one it registers itself. */
  readonly metadataURL?: string;
  /** The newest revision of MCP, or one of those before. */
  readonly era: "modern" | "legacy";
}

const redirectURL = "http://localhost:9999/callback";

/** Its metadata, as in its document. */
export const clientMetadata = {
  client_name: "Test client",
  redirect_uris: [redirectURL],
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: "none",
};

/** What a client remembers between calls. */
interface Memory {
  tokens?: OAuthTokens;
  information?: StoredOAuthClientInformation;
  discovered?: OAuthDiscoveryState;
  verifier?: string;
  /** The address that it wants to open in the browser. */
  authorization?: string | undefined;
  revision?: string | undefined;
}

function createAuthProvider(memory: Memory, metadataURL: string | undefined): OAuthClientProvider {
  return {
    redirectUrl: redirectURL,
    clientMetadata,
    ...(metadataURL === undefined ? {} : { clientMetadataUrl: metadataURL }),
    clientInformation: () => memory.information,
    saveClientInformation: (given) => void (memory.information = given),
    tokens: () => memory.tokens,
    saveTokens: (given) => void (memory.tokens = given),
    saveDiscoveryState: (given) => void (memory.discovered = given),
    discoveryState: () => memory.discovered,
    redirectToAuthorization: (address) => void (memory.authorization = address.href),
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier ?? "",
  };
}

/** What a person does when the client opens the browser. */
async function signInAt(provider: string, address: string): Promise<URLSearchParams> {
  const browser = createBrowser(provider, async (url, init) =>
    url.origin === new URL(provider).origin ? fetch(url, init) : new Response("done"),
  );
  const page = await browser.open(address);
  if (page.url.href.startsWith(redirectURL)) return page.url.searchParams;
  return (await browser.press(page, "person", "person-ada")).url.searchParams;
}

/** Creates a client that starts without any knowledge of the server or the provider. */
export function createSDKClient(options: SDKClientOptions): SDKClient {
  const { url, provider, metadataURL, era } = options;
  const requests: string[] = [];
  const memory: Memory = {};
  const authProvider = createAuthProvider(memory, metadataURL);

  async function recordingFetch(input: string | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init);
    const { pathname } = new URL(input);
    requests.push(`${init?.method ?? "GET"} ${pathname} ${response.status}`);
    return response;
  }

  async function callOnce(tool: string, input: Record<string, unknown>): Promise<string> {
    const mode = era === "modern" ? "auto" : "legacy";
    const info = { name: "test-client", version: "1.0.0" };
    const client = new Client(info, { versionNegotiation: { mode } });
    const fetchOptions = { authProvider, fetch: recordingFetch };
    const transport = new StreamableHTTPClientTransport(new URL(url), fetchOptions);
    try {
      await client.connect(transport);
      memory.revision = client.getNegotiatedProtocolVersion();
      const { content } = await client.callTool({ name: tool, arguments: input });
      return JSON.stringify(content);
    } catch (error) {
      const { authorization } = memory;
      if (authorization === undefined) throw error;
      memory.authorization = undefined;
      await transport.finishAuth(await signInAt(provider, authorization));
      throw new SignedIn();
    } finally {
      await client.close();
    }
  }

  return {
    requests,
    tokens: () => memory.tokens,
    revision: () => memory.revision,
    clientID: () => memory.information?.client_id,
    async call(tool, input = {}) {
      try {
        return await callOnce(tool, input);
      } catch (error) {
        if (!(error instanceof SignedIn)) throw error;
        return callOnce(tool, input);
      }
    },
  };
}

/** The person has signed in, and the call can be repeated. */
class SignedIn extends Error {}
