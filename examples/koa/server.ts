import Koa from "koa";
import { latchkey } from "latchkey/koa";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = new Koa();
app.use(latchkey(auth));
app.use((ctx) => {
  if (ctx.path === "/") {
    const signOut = ctx.state.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
    ctx.type = "html";
    ctx.body = `<a href="/private">Private page</a>${signOut}`;
  } else if (ctx.path === "/private") {
    const { user } = ctx.state.auth.require();
    ctx.type = "text";
    ctx.body = `Hello ${user.name ?? user.sub}`;
  }
});
app.listen(3000);
