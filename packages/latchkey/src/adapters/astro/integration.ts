import type { MaybePromise } from "../../time/maybe-promise.ts";

/** A header which only Astro's own client sends. */
export const clientHeader = "x-latchkey-client";

type InternalHeaders = Readonly<Record<string, string>>;

/** The used part of an adapter of Astro. */
interface AstroAdapter {
  readonly client?: { readonly internalFetchHeaders?: InternalHeaders | (() => InternalHeaders) };
}

/** The used part of an integration with an adapter, such as `@astrojs/node`. */
interface AdapterIntegration {
  readonly hooks: {
    "astro:config:done"?(given: { setAdapter(adapter: AstroAdapter): void }): MaybePromise<void>;
  };
}

/** The used part of what Astro gives to an integration. */
interface Setup {
  readonly config: { readonly adapter?: AdapterIntegration | undefined };
  updateConfig(change: { security: { checkOrigin: false } }): unknown;
}

interface Integration {
  readonly name: string;
  readonly hooks: { "astro:config:setup"(setup: Setup): void };
}

/**
 * What Astro itself must do for sign-in, as an integration. The middleware has the settings.
 *
 * - Astro's check of origins is turned off: it rejects the form that a provider posts, before any
 *   middleware, and the middleware makes the same check.
 * - Astro's client router marks its requests. A link then leads to login after the session has
 *   ended, without an error in the console. Without it the router gets the 401 of any script, and
 *   still loads the document.
 */
export function latchkeyIntegration(): Integration {
  return {
    name: "latchkey",
    hooks: {
      "astro:config:setup": ({ config, updateConfig }) => {
        updateConfig({ security: { checkOrigin: false } });
        if (config.adapter !== undefined) markRequestsOf(config.adapter);
      },
    },
  };
}

/** Astro calls this hook of the adapter after the setup of all integrations. */
function markRequestsOf({ hooks }: AdapterIntegration): void {
  const own = hooks["astro:config:done"];
  hooks["astro:config:done"] = (given) =>
    own?.({ ...given, setAdapter: (adapter) => given.setAdapter(markRequests(adapter)) });
}

function markRequests(adapter: AstroAdapter): AstroAdapter {
  const { internalFetchHeaders: own = {} } = adapter.client ?? {};
  const internalFetchHeaders = () => ({
    ...(typeof own === "function" ? own() : own),
    [clientHeader]: "astro",
  });
  return { ...adapter, client: { ...adapter.client, internalFetchHeaders } };
}
