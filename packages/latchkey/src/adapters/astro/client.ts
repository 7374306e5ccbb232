import type { MaybePromise } from "../../maybe-promise.ts";

/** Astro's own client sends it, and no other script. */
export const clientHeader = "x-latchkey-client";

type InternalHeaders = Readonly<Record<string, string>>;

/** What is used of the adapter that Astro is given. */
interface AstroAdapter {
  readonly client?: { readonly internalFetchHeaders?: InternalHeaders | (() => InternalHeaders) };
}

/** What is used of an integration that brings an adapter, such as that of `@astrojs/node`. */
interface AdapterIntegration {
  readonly hooks: {
    "astro:config:done"?(given: { setAdapter(adapter: AstroAdapter): void }): MaybePromise<void>;
  };
}

/**
 * For `adapter` of Astro's configuration: lets Astro's client router say that it asks. So a link leads to login after the
 * session has ended, and no error is shown in the console. Without it the router gets the 401 of every script, and
 * loads the document all the same.
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
          setAdapter: (adapter) => given.setAdapter(sayingWhoAsks(adapter)),
        }),
    },
  };
}

function sayingWhoAsks(adapter: AstroAdapter): AstroAdapter {
  const { internalFetchHeaders: own = {} } = adapter.client ?? {};
  const internalFetchHeaders = () => ({
    ...(typeof own === "function" ? own() : own),
    [clientHeader]: "astro",
  });
  return { ...adapter, client: { ...adapter.client, internalFetchHeaders } };
}
