/** As `NextResponse.next()`: the application answers the request. */
export function nextResponse(): Response {
  return new Response(null, { headers: { "x-middleware-next": "1" } });
}
