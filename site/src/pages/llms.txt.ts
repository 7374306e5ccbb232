import { llmsText } from "../../../tools/site/llms.ts";
import { readPages } from "../../../tools/site/pages.ts";
import { fillGroups } from "../../../tools/site/sidebar.ts";
import { documentedVersion } from "../../../tools/site/version.ts";

export function GET() {
  const pages = readPages("..");
  const groups = fillGroups(pages.map(({ id }) => id));
  return new Response(llmsText(pages, groups, documentedVersion("..")));
}
