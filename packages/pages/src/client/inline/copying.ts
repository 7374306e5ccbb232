const copiedForMs = 2000;

/**
 * Buttons with `data-copy` copy that text, and announce it politely. If the browser refuses, as on
 * plain http, the text is selected, and the button explains the next step.
 */
export function copyOnClick(page: Document, { clipboard }: Navigator): void {
  page.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
    if (button !== null) void copy(button, page, clipboard);
  });
}

async function copy(button: HTMLElement, page: Document, clipboard?: Clipboard): Promise<void> {
  const { copy: text = "", copied = "" } = button.dataset;
  const failed = withKeyOf(navigator.platform, button.dataset["failed"] ?? "");
  const isCopied = await isWritten(text, clipboard);
  if (!isCopied) select(button, text, page);
  const done = button.querySelector(".done");
  if (done) done.textContent = isCopied ? copied : failed;
  button.dataset["done"] = "";
  announce(page, isCopied ? copied : failed);
  setTimeout(() => delete button.dataset["done"], isCopied ? copiedForMs : 4 * copiedForMs);
}

/** Without `https:` there is no clipboard. */
async function isWritten(text: string, clipboard?: Clipboard): Promise<boolean> {
  try {
    await clipboard?.writeText(text);
    return clipboard !== undefined;
  } catch {
    return false;
  }
}

/** The keys of Apple's keyboards are others. */
function withKeyOf(platform: string, failed: string): string {
  return /^(?:Mac|iP)/.test(platform) ? failed.replace(/[^\s、]+\+C/, "⌘C") : failed;
}

/** Shows the text to copy in a field below the button, and selects all of it. */
function select(button: HTMLElement, text: string, page: Document): void {
  const id = "to-copy";
  page.getElementById(id)?.remove();
  const field = page.createElement("textarea");
  Object.assign(field, { id, value: text, readOnly: true, ariaLabel: button.textContent });
  button.after(field);
  field.select();
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
