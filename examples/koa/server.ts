import Koa from "koa";
import { latchkey } from "latchkey/koa";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = new Koa();
app.use(latchkey(auth));
app.use((ctx) => {
  ctx.type = "html";
  if (ctx.path === "/") {
    const name = ctx.state.auth.user?.email ?? "stranger";
    ctx.body = `Hello ${name}. <a href="/private">Private page</a>`;
  } else if (ctx.path === "/private") {
    const { user } = ctx.state.auth.require();
    ctx.body = `Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`;
  }
});
app.listen(3000);
