import { readPages } from "../../../tools/site/pages.ts";

export function getStaticPaths() {
  return readPages("..").map(({ id, markdown }) => ({ params: { page: id }, props: { markdown } }));
}

export function GET({ props }) {
  return new Response(props.markdown, {
    headers: { "Content-Type": "text/markdown; charset=utf-8" },
  });
}
