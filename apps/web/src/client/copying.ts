const copiedForMs = 2000;

/** Buttons with `data-copy` copy that text, and say so politely. */
export function copyOnClick(page: Document, { clipboard }: Navigator): void {
  page.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
    if (button !== null) void copy(button, page, clipboard);
  });
}

async function copy(button: HTMLElement, page: Document, clipboard: Clipboard): Promise<void> {
  const { copy: text = "", copied = "" } = button.dataset;
  await clipboard.writeText(text);
  button.dataset["done"] = "";
  announce(page, copied);
  setTimeout(() => delete button.dataset["done"], copiedForMs);
}

/** Buttons with `data-make-secret` put 32 random bytes into the element of that id. */
export function makeSecretOnClick(page: Document, random: Crypto): void {
  page.addEventListener("click", ({ target }) => {
    const maker =
      target instanceof Element ? target.closest<HTMLElement>("[data-make-secret]") : null;
    const place = page.getElementById(maker?.dataset["makeSecret"] ?? "");
    if (place === null) return;
    const bytes = random.getRandomValues(new Uint8Array(32));
    const text = btoa(String.fromCharCode(...bytes));
    place.textContent = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  });
}

function announce(page: Document, words: string): void {
  const known = page.getElementById("said");
  const region = known ?? page.createElement("p");
  if (known === null) {
    region.id = "said";
    region.className = "unseen";
    region.setAttribute("role", "status");
    page.body.append(region);
  }
  region.textContent = "";
  setTimeout(() => (region.textContent = words), 50);
}
