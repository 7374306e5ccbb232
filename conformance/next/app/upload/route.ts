import { route } from "../../auth";

export const POST = route(
  async (request: Request) => new Response(`${(await request.arrayBuffer()).byteLength} bytes`),
);
