import type { MaybePromise } from "../../maybe-promise.ts";

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

/**
 * Wraps `adapter` of Astro's configuration, so that Astro's client router marks its requests. A
 * link then leads to login after the session has ended, without an error in the console. Without it
 * the router gets the 401 of any script, and still loads the document.
 */
export function followSignIn<Integration extends AdapterIntegration>(
  integration: Integration,
): Integration {
  const { hooks } = integration;
  return {
    ...integration,
    hooks: {
      ...hooks,
      "astro:config:done": (given: { setAdapter(adapter: AstroAdapter): void }) =>
        hooks["astro:config:done"]?.({
          ...given,
          setAdapter: (adapter) => given.setAdapter(markRequests(adapter)),
        }),
    },
  };
}

function markRequests(adapter: AstroAdapter): AstroAdapter {
  const { internalFetchHeaders: own = {} } = adapter.client ?? {};
  const internalFetchHeaders = () => ({
    ...(typeof own === "function" ? own() : own),
    [clientHeader]: "astro",
  });
  return { ...adapter, client: { ...adapter.client, internalFetchHeaders } };
}
