import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";

import { repositoryAddressOf } from "../../tools/site/addresses.ts";
import { readPages } from "../../tools/site/pages.ts";
import { improveTables } from "../../tools/site/tables.ts";

/** The files of the repository, as they are. */
const pages = {
  name: "pages",
  async load({ store, parseData, renderMarkdown, config }) {
    store.clear();
    const root = new URL("../", config.root);
    for (const { id, file, title, description, body } of readPages("..")) {
      const editUrl = repositoryAddressOf(file).replace("/blob/", "/edit/");
      const data = await parseData({ id, data: { title, description, editUrl } });
      const fileURL = new URL(file, root);
      const { html, metadata } = await renderMarkdown(body, { fileURL });
      const rendered = { html: improveTables(html), metadata };
      store.set({ id, data, body, filePath: `../${file}`, rendered });
    }
  },
};

export const collections = { docs: defineCollection({ loader: pages, schema: docsSchema() }) };
