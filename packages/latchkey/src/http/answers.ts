/** A redirect with an empty body: `status` 302, or 303 where the request was no GET. */
export function redirect(location: string, status: 302 | 303 = 302): Response {
  return new Response(null, { status, headers: { Location: location } });
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
  });
}

export function text(body: string, status: number): Response {
  return new Response(body, {
    status,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

export function html(body: string, status: number): Response {
  return new Response(body, { status, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

export function empty(status: 204 | 404 | 200): Response {
  return new Response(null, { status });
}
