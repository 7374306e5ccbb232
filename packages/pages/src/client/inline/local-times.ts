import { momentInWords, type MomentPhrases, type MomentStyle } from "../../messages/moments.ts";

/** Says every moment of the page in the zone of the browser, now and whenever one has changed. */
export function localTimes(page: Document): void {
  const { phrases } = page.documentElement.dataset;
  const { now, locale = "" } = page.body.dataset;
  if (!phrases) return;
  const frame = {
    locale,
    now: Number(now),
    phrases: JSON.parse(phrases) as MomentPhrases,
  };
  const say = () => {
    for (const moment of page.querySelectorAll<HTMLTimeElement>("time[datetime]")) {
      const at = Date.parse(moment.dateTime) / 1000;
      const style = (moment.dataset["moment"] ?? "day") as MomentStyle;
      moment.textContent = momentInWords(at, style, frame);
    }
  };
  page.addEventListener(changed, say);
  say();
}

const changed = "moments";

/** Requests a new text for every moment. */
export function momentsChanged(page: Document): void {
  page.dispatchEvent(new Event(changed));
}
