import { llmsFullText } from "../../../tools/site/llms.ts";
import { readPages } from "../../../tools/site/pages.ts";
import { fillGroups } from "../../../tools/site/sidebar.ts";

export function GET() {
  const pages = readPages("..");
  return new Response(llmsFullText(pages, fillGroups(pages.map(({ id }) => id))));
}
