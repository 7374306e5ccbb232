import type { APIRoute } from "astro";

export const GET: APIRoute = () => fetch(`${process.env["UPSTREAM"]}/`);
