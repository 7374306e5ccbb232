/** Two lines that show who is signed in, and their place. */
export interface Who {
  readonly place: string;
  readonly lines: readonly [string, string];
}

/** @param respond - with `…` in the place of the text */
const inHandler = (auth: string, respond: string): Who => ({
  place: "In a handler",
  lines: [`const { user } = ${auth};`, respond.replace("…", '`Hello ${user?.name ?? "stranger"}`')],
});

/** By the id of a host. */
export const who: Readonly<Record<string, Who>> = {
  next: {
    place: "In a server component below <Suspense>",
    lines: [
      "const { user } = await auth();",
      'return <p>Hello {String(user?.name ?? "stranger")}</p>;',
    ],
  },
  nuxt: {
    place: "In the script and the template of a page",
    lines: [
      'const name = useState("name", () => useRequestEvent()?.context.auth.user?.name);',
      '<p>Hello {{ name ?? "stranger" }}</p>',
    ],
  },
  sveltekit: {
    place: "In +page.server.js and +page.svelte",
    lines: [
      "export const load = ({ locals }) => ({ name: locals.auth.user?.name });",
      '<script>let { data } = $props();</script><p>Hello {data.name ?? "stranger"}</p>',
    ],
  },
  astro: {
    place: "In the script and the body of a page",
    lines: ["const { user } = Astro.locals.auth;", '<p>Hello {user?.name ?? "stranger"}</p>'],
  },
  "react-router": {
    place: "In the loader of a route, with authContext of latchkey/react-router",
    lines: [
      "const { user } = context.get(authContext);",
      'return { name: user?.name ?? "stranger" };',
    ],
  },
  "tanstack-start": {
    place: "In a server function, which a loader calls",
    lines: [
      "createServerFn().handler(({ context }) =>",
      '  String(context.auth.user?.name ?? "stranger"));',
    ],
  },
  nitro: inHandler("event.context.auth", "return …;"),
  h3: inHandler("event.context.auth", "return …;"),
  express: inHandler("req.auth", "res.send(…);"),
  fastify: inHandler("request.auth", "return …;"),
  koa: inHandler("ctx.state.auth", "ctx.body = …;"),
  hono: inHandler("c.var.auth", "return c.text(…);"),
  node: inHandler("request.auth", "response.end(…);"),
};
