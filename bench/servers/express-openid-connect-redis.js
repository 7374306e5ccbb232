/** express-openid-connect with its sessions in Redis by connect-redis, as its examples mount it. */
import { RedisStore } from "connect-redis";
import { createClient } from "redis";
import { startApp } from "./express-openid-connect-app.js";

const client = createClient({ url: process.env["BENCH_REDIS"] });
await client.connect();
startApp({ session: { store: new RedisStore({ client }) } });
