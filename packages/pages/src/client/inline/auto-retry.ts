/** Waits between the questions, in milliseconds: each is longer than the one before. */
const firstWaitMs = 4000;
const longestWaitMs = 60_000;
/** After so many a person has to do something. */
const attemptsAtMost = 40;
/** The next page of the same fault continues this count for a while. */
const countedForMs = 300_000;
const countName = "latchkey:retries";

/**
 * A problem page that retries: `data-retry` names the probe. It sends requests ever less often, and
 * none while the tab is hidden; on success the page goes on to `data-retry-to`. A live region
 * announces it politely.
 */
export function retryByItself(page: Document, view: Window): void {
  const place = page.querySelector<HTMLElement>("[data-retry]");
  if (place === null) return;
  const { retry, retryTo = view.location.href, retrying = "", recovered = "" } = place.dataset;
  const isAboutCookies = retry === "cookies";
  const count = attemptsKept(view);
  let timer = 0;
  let isLooking = false;

  const look = async () => {
    if (isLooking || page.visibilityState === "hidden" || count.value >= attemptsAtMost) return;
    isLooking = true;
    view.clearTimeout(timer);
    count.add();
    if (isAboutCookies ? keepsCookies(page) : await answers(view, retryTo)) {
      place.textContent = recovered;
      view.location.replace(retryTo);
      return;
    }
    isLooking = false;
    wait();
  };
  const wait = () => {
    if (isAboutCookies) return;
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 1.6 ** count.value);
    timer = view.setTimeout(() => void look(), waitMs * (0.75 + Math.random() / 2));
  };

  page.addEventListener("visibilitychange", () => void look());
  if (isAboutCookies) view.addEventListener("focus", () => void look());
  place.textContent = retrying;
  wait();
}

/**
 * A sign-in can begin if the response redirects to the provider; any other page counts unless it is
 * a fault.
 */
async function answers(view: Window, address: string): Promise<boolean> {
  try {
    const { type, status } = await view.fetch(address, {
      headers: { Accept: "application/json" },
      cache: "no-store",
      redirect: "manual",
    });
    return type === "opaqueredirect" || status < 500;
  } catch {
    return false;
  }
}

function keepsCookies(page: Document): boolean {
  const test = "latchkey-test=1";
  page.cookie = `${test}; SameSite=Lax`;
  const isKept = page.cookie.includes(test);
  page.cookie = `${test}; Max-Age=0; SameSite=Lax`;
  return isKept;
}

/** The number of probes by pages of this tab; if the browser keeps nothing, by this page alone. */
function attemptsKept(view: Window) {
  const [kept = 0, at = 0] = (keepCount(view) ?? "").split(" ").map(Number);
  const count = { value: Date.now() - at < countedForMs ? kept : 0, add };
  function add() {
    count.value += 1;
    keepCount(view, `${count.value} ${Date.now()}`);
  }
  return count;
}

/** A browser with blocked cookies throws on any access to the storage. */
function keepCount(view: Window, value?: string): string | null {
  try {
    if (value !== undefined) view.sessionStorage.setItem(countName, value);
    return view.sessionStorage.getItem(countName);
  } catch {
    return null;
  }
}
