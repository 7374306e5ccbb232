import express from "express";
import { api } from "latchkey/api";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";

const baseURL = "http://localhost:3001";
const auth = authFromEnvironment(process.env, {
  baseURL,
  api: api({ audience: baseURL, sessions: false }),
});
await auth.ready();

const app = express();
app.use(latchkey(auth));
app.get("/orders", (req, res) => {
  const { claims } = req.auth.require({ scope: "orders:read" });
  res.json({ of: claims.sub, orders: ["A lamp", "Two chairs"] });
});
app.listen(3001);
