/** The used part of Next.js. The app installs the package, so its own types may be absent. */
declare module "next/headers.js" {
  /** The headers of the current request: one object for all callers in one request. */
  export function headers(): Promise<{
    get(name: string): string | null;
    keys(): Iterator<string>;
  }>;

  export function cookies(): Promise<{
    set(cookie: { readonly name: string; readonly value: string }): unknown;
    delete(name: string): unknown;
  }>;
}

declare module "next/server.js" {
  /** Resolves when a request is there: what follows is not rendered ahead of it. */
  export function connection(): Promise<void>;
}
