/** Characters of a body; the forms of our pages are far shorter. */
const charactersAtMost = 16_384;

/** The fields of a form that a page of ours has sent; none where the body is something else, or too long. */
export async function formFields({ headers, body }: Request): Promise<URLSearchParams> {
  const isForm = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (isForm !== true || body === null) return new URLSearchParams();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > charactersAtMost) return new URLSearchParams();
    }
  } catch {
    // The client has gone, or has sent less than it said.
    return new URLSearchParams();
  }
  return new URLSearchParams(text);
}
