import { hydrateRoot } from "react-dom/client";

import { FramedPage } from "../components/page-frame.tsx";
import { createWords } from "../messages/words.ts";
import { LiveScreen } from "../screens/live-view.tsx";
import { readBoot } from "./boot.ts";

const root = document.getElementById("root");
const boot = readBoot(document);
if (root !== null && boot !== undefined) {
  const { view, site, now, language, locale, messages } = boot;
  const words = createWords(language, locale, (key) => messages[key] ?? key);
  hydrateRoot(
    root,
    <FramedPage frame={{ site, words, now }}>
      <LiveScreen view={view} />
    </FramedPage>,
  );
}
