import { copyOnClick } from "../../client/inline/copying.ts";

const pauseMs = 150;
const oneColor = /^#[\da-f]{6}$/i;

/** A module that renders the bench without a server. */
interface Renderer {
  render(query: URLSearchParams, root: string): string;
}

/** Shows every change of the form at once: on the bench, and in every state below. */
export function startBench(form: HTMLFormElement): void {
  const isStatic = "renderer" in form.dataset;
  let timer = 0;
  let latest = 0;

  async function update(): Promise<void> {
    const query = queryOf(form);
    const turn = (latest += 1);
    const html = await render(query, form);
    if (turn !== latest) return;
    showBench(new DOMParser().parseFromString(html, "text/html"));
    history.replaceState(null, "", `?${query}`);
  }

  form.addEventListener("input", ({ target }) => {
    followPicker(form, target);
    clearTimeout(timer);
    timer = window.setTimeout(() => void update(), pauseMs);
  });
  copyOnClick(document, navigator);
  document.addEventListener("load", stopLinks, { capture: true });
  if (isStatic && location.search !== "") {
    fillIn(form, new URLSearchParams(location.search));
    void update();
  }
}

/** In `srcdoc` an address is relative to the bench: a link to `#` would open the bench again. */
function stopLinks({ target: frame }: Event): void {
  if (!(frame instanceof HTMLIFrameElement)) return;
  frame.contentDocument?.addEventListener("click", (click) => {
    // The frame has classes of its own, so `instanceof` is of no use.
    const target = click.target as Element | null;
    if (target?.closest("a") !== null) click.preventDefault();
  });
}

function queryOf(form: HTMLFormElement): URLSearchParams {
  // Every field is a text.
  return new URLSearchParams([...new FormData(form)] as [string, string][]);
}

async function render(query: URLSearchParams, form: HTMLFormElement): Promise<string> {
  const { renderer } = form.dataset;
  if (renderer === undefined) return (await fetch(`?${query}`)).text();
  const module = (await import(/* @vite-ignore */ renderer)) as Renderer;
  return module.render(query, new URL(form.action).pathname);
}

/** The picker of colors and the text of the accent show the same. */
function followPicker(form: HTMLFormElement, target: EventTarget | null): void {
  const picker = form.querySelector<HTMLInputElement>("[type=color]");
  const accent = form.querySelector<HTMLInputElement>("[name=accent]");
  if (picker === null || accent === null) return;
  const [first = ""] = accent.value.trim().split(/[\s,]/);
  if (target === picker) accent.value = picker.value;
  else if (oneColor.test(first)) picker.value = first;
}

function fillIn(form: HTMLFormElement, query: URLSearchParams): void {
  for (const [name, value] of query) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
      field.value = value;
  }
  followPicker(form, null);
}

/** Takes over the parts with an id, and the frames. */
function showBench(next: Document): void {
  for (const part of next.querySelectorAll("main [id]"))
    document.getElementById(part.id)?.replaceChildren(...part.childNodes);
  const frames = document.querySelectorAll("iframe");
  for (const [place, frame] of next.querySelectorAll("iframe").entries()) {
    const shown = frames[place];
    if (shown !== undefined) showFrame(shown, frame);
  }
}

/** A frame that is loaded keeps its picture until the next one is there, and adds no history. */
function showFrame(shown: HTMLIFrameElement, next: HTMLIFrameElement): void {
  const isLoaded = shown.contentDocument?.URL !== "about:blank";
  if (isLoaded && shown.srcdoc !== "") shown.srcdoc = next.srcdoc;
  else if (isLoaded && next.srcdoc === "") shown.contentWindow?.location.replace(next.src);
  else shown.replaceWith(next);
}
