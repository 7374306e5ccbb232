/** Whether a client takes `gzip` (RFC 9110, 12.5.3); one that names it without a weight of 0 does. */
export function acceptsGzip(acceptEncoding: string | null | undefined): boolean {
  return /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1|0?\.0*[1-9])[\d.]*\s*)?(?:,|$)/i.test(
    acceptEncoding ?? "",
  );
}
