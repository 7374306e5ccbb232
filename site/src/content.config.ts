import { docsSchema } from "@astrojs/starlight/schema";
import { defineCollection } from "astro:content";

import { repositoryAddressOf } from "../../tools/site/addresses.ts";
import { frontPage } from "../../tools/site/front-page.ts";
import { readPages } from "../../tools/site/pages.ts";
import { improveTables } from "../../tools/site/tables.ts";

/** It has every word, and helps with none of them. */
const notSearched = ["changelog", "reference/checks"];

/** The files of the repository, as they are. */
const pages = {
  name: "pages",
  async load({ store, parseData, renderMarkdown, config }) {
    store.clear();
    const root = new URL("../", config.root);
    for (const page of readPages("..")) {
      const { id, file, title, description } = page;
      const editUrl = repositoryAddressOf(file).replace("/blob/", "/edit/");
      const { body, head } = id === "index" ? frontPage(page) : { body: page.body, head: {} };
      const pagefind = !notSearched.includes(id);
      const data = await parseData({
        id,
        data: { title, description, editUrl, pagefind, ...head },
      });
      const fileURL = new URL(file, root);
      const { html, metadata } = await renderMarkdown(body, { fileURL });
      const rendered = { html: improveTables(html), metadata };
      store.set({ id, data, body, filePath: `../${file}`, rendered });
    }
  },
};

export const collections = { docs: defineCollection({ loader: pages, schema: docsSchema() }) };
