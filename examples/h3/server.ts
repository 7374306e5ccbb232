import { H3, html, serve } from "h3";
import { latchkey } from "latchkey/h3";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = new H3();
app.use(latchkey(auth));
app.get("/", (event) => {
  const { user } = event.context.auth;
  const name = user?.name ?? user?.sub ?? "stranger";
  return html`Hello ${name}. <a href="/private">Private page</a>`;
});
app.get("/private", (event) => {
  const { user } = event.context.auth.require();
  const name = user.name ?? user.sub;
  return html`Hello ${name}. <a href="/api/auth/logout">Sign out</a>`;
});
serve(app, { port: 3000 });
