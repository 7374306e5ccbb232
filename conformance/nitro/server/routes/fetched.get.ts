import { defineHandler } from "nitro";
import { proxyRequest } from "nitro/h3";

export default defineHandler((event) => proxyRequest(event, `${process.env["UPSTREAM"]}/`));
