/**
 * Notices of devices that are about to be signed out (`data-ends-in` seconds): the seconds are counted down; half-way
 * and at the end it is said, and then the devices leave the list. Nothing is asked of the server, and nothing that a
 * person is writing on the page is lost.
 */
export function countDownEnds(page: Document, view: Window): void {
  for (const notice of page.querySelectorAll<HTMLElement>("[data-ends-in]")) {
    countDown(page, view, notice);
  }
}

function countDown(page: Document, view: Window, notice: HTMLElement): void {
  const words = notice.querySelector<HTMLElement>("[data-left]");
  const said = notice.querySelector<HTMLElement>("[data-ended]");
  if (words === null || said === null) return;
  const atMost = Number(words.dataset["left"]);
  const endsAt = view.performance.now() + Number(notice.dataset["endsIn"]) * 1000;
  const inWords = new Intl.RelativeTimeFormat(page.body.dataset["locale"]);
  let isHalfSaid = false;

  const tick = () => {
    const leftMs = endsAt - view.performance.now();
    if (leftMs <= 0) return end(page, notice, said);
    const left = Math.min(atMost, Math.ceil(leftMs / 1000));
    words.textContent = inWords.format(left, "second");
    if (left <= atMost / 2 && !isHalfSaid) {
      isHalfSaid = true;
      said.textContent = words.parentElement?.textContent ?? "";
    }
    view.setTimeout(tick, leftMs % 1000 || 1000);
  };
  tick();
}

function end(page: Document, notice: HTMLElement, said: HTMLElement): void {
  const line = notice.querySelector<HTMLElement>(".ending");
  const others = page.querySelector<HTMLElement>("[data-others]");
  if (others !== null) {
    const left = Number(others.dataset["others"]) - notice.querySelectorAll("[name=id]").length;
    others.dataset["others"] = `${left}`;
    others.hidden = left < 1;
  }
  if (line?.contains(page.activeElement) === true) notice.focus();
  line?.remove();
  said.textContent = said.dataset["ended"] ?? "";
  said.classList.remove("unseen");
  for (const device of page.querySelectorAll(`li[data-ends-at="${notice.dataset["endsAt"]}"]`)) {
    const group = device.closest("section");
    device.remove();
    if (group?.querySelector("li") === null) group.remove();
  }
}
