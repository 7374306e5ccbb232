import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = express();
app.use(latchkey(auth));
app.get("/", (req, res) => {
  res.send(`Hello ${req.auth.user?.email ?? "stranger"}. <a href="/private">Private page</a>`);
});
app.get("/private", (req, res) => {
  const { user } = req.auth.require();
  res.send(`Hello ${user.email}. <a href="/api/auth/logout">Sign out</a>`);
});
app.listen(3000);
