import type { ServerResponse } from "node:http";
import type { Page } from "./page.ts";

/** Sends a page as the response. */
export function sendPage(response: ServerResponse, status: number, page: Page): void {
  response.writeHead(status, page.headers).end(page.body);
}
