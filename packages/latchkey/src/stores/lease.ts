/** The text that lies under a leased key, until its owner settles or releases it. */
export function leaseText(owner: string): string {
  return leasePrefix + owner;
}

/** Who holds the lease that `get` has found; `null` where the text is a settled value. */
export function leaseOwner(text: string): string | null {
  return text.startsWith(leasePrefix) ? text.slice(leasePrefix.length) : null;
}

const leasePrefix = "lease ";
