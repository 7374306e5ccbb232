import type { StaticFile } from "./built-files.ts";
import { chooseCoding } from "../rendering/content-coding.ts";

const secondsPerDay = 86_400;

/** A built file as an answer: in the best coding, and 304 where the browser has it already. */
export function staticAnswer(request: Request, file: StaticFile): Response {
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const coded = coding === undefined ? undefined : file[coding];
  const headers = new Headers({
    "Content-Type": file.type,
    "Cache-Control": file.immutable
      ? `public, max-age=${secondsPerDay * 365}, immutable`
      : `public, max-age=${secondsPerDay}`,
    ETag: file.etag,
    Vary: "Accept-Encoding",
  });
  if (request.headers.get("if-none-match") === file.etag) {
    return new Response(null, { status: 304, headers });
  }
  if (coding !== undefined && coded !== undefined) headers.set("Content-Encoding", coding);
  return new Response(coded ?? file.plain, { headers });
}
