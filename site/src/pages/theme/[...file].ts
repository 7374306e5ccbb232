import { themeFiles } from "../../../../tools/site/theme.ts";

export async function getStaticPaths() {
  return Array.from(await themeFiles(".."), ([file, text]) => ({
    params: { file },
    props: { text },
  }));
}

export function GET({ props }) {
  return new Response(props.text);
}
