import type { ServerResponse } from "node:http";
import type { Page } from "./page.ts";

export function sendPage(response: ServerResponse, status: number, page: Page): void {
  response.writeHead(status, page.headers).end(page.body);
}
