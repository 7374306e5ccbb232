import type { SessionWatch } from "latchkey/react";

const backForMs = 5000;

/**
 * Shows that the device is offline, and when the server has responded again. Loads nothing from the
 * network.
 */
export function sayWhenOffline(page: Document, view: Window, watch: SessionWatch): void {
  const place = page.querySelector<HTMLElement>("[data-offline]");
  const note = place?.querySelector("p");
  if (!place || !note) return;
  const say = (text = "") => {
    note.textContent = text;
    note.hidden = text === "";
  };
  view.addEventListener("offline", () => say(place.dataset["offline"]));
  view.addEventListener("online", () => {
    say();
    void sayBack();
  });
  const sayBack = async () => {
    if (!(await watch.refetch())) return;
    say(place.dataset["online"]);
    view.setTimeout(say, backForMs);
  };
}
