import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";
import { AppModule } from "./app.module.js";

const auth = authFromEnvironment(process.env, { publicPaths: ["/"] });
await auth.ready();

const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.use(latchkey(auth));
await app.listen(3000);
