import { pages } from "@latchkey/pages";
import express from "express";
import { latchkey } from "latchkey/express";
import { authFromEnvironment } from "latchkey/node";
import { createApp } from "../../packages/latchkey/test/hosts/apps/express.ts";
import { apiOptions } from "../suite/api-example.ts";
import { pagesOptions } from "../suite/pages-example.ts";

const auth = authFromEnvironment(process.env, {
  ...apiOptions(process.env),
  ...pagesOptions(process.env, pages),
});

const surroundings = { upstream: process.env["UPSTREAM"] ?? "", files: "files" };
const app = createApp(auth, surroundings, { express, latchkey });
app.listen(Number(process.env["PORT"]), "localhost");
