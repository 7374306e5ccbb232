/** What the example applications find around them. */
export interface Surroundings {
  /** Address of another server, whose response `/fetched` passes on. */
  readonly upstream: string;
  /** Folder of the static files. */
  readonly files: string;
}

/** Cookies of the application's own, in forms that a careless merge would split or encode anew. */
export const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

/** Paths that need no sign-in, beside the auth routes. */
export const publicPaths = ["/", "/cacheable", "/require", "/require-rule", "/public/"];
