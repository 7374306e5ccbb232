/** What the example applications of all hosts have in common: the README beside this folder describes them. */

/** Cookies of the application's own, in forms that a careless merge would split or encode anew. */
export const ownCookies = ["own=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", 'two="a, b"; Path=/'];

/** Paths that need no sign-in, beside the auth routes. */
export const publicPaths = ["/", "/cacheable", "/require", "/require-rule", "/public/", "/assets/"];
