import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = express();
app.use(latchkey(auth));
app.get("/", (req, res) => {
  const signOut = req.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
  res.send(`<a href="/private">Private page</a>${signOut}`);
});
app.get("/private", (req, res) => {
  const { user } = req.auth.require();
  res.type("text").send(`Hello ${user.name ?? user.sub}`);
});
app.listen(3000);
