/** Of hosts for apps, where each app has a name: from the Public Suffix List of August 2026. */
const hosting: ReadonlySet<string> = new Set(
  `amplifyapp.com appspot.com azurestaticapps.net azurewebsites.net bolt.host bubbleapps.io
  cloudapp.net cloudfront.net deno.dev deno.net edgeone.app fastly.net firebaseapp.com fly.dev
  gitbook.io github.io gitlab.io glitch.me herokuapp.com koyeb.app lovable.app netlify.app
  ngrok-free.app ngrok.app ngrok.io northflank.app ondigitalocean.app onrender.com pages.dev
  railway.app repl.co replit.app replit.dev run.app surge.sh trycloudflare.com up.railway.app
  vercel.app vercel.dev web.app workers.dev`.split(/\s+/),
);

/** Second levels of countries. */
const countries: ReadonlySet<string> = new Set(
  `ac.uk co.id co.il co.in co.jp co.kr co.nz co.th co.uk co.za com.ar com.au com.br com.cn com.co
  com.hk com.mx com.my com.pl com.sg com.tr com.tw com.ua com.vn gov.uk ne.jp net.au net.br net.cn
  or.jp or.kr org.au org.br org.uk`.split(/\s+/),
);

/** Some hosts put a region or a number before their suffix. */
const byRegion =
  /^[a-z0-9-]+(?:\.\d+)?\.(?:(?:a\.)?run\.app|r\.appspot\.com|amazonaws\.com|cloudapp\.azure\.com|azurestaticapps\.net|azurewebsites\.net)$/;

/** Whether anyone can get a name directly below this one. */
export function isPublicSuffix(name: string): boolean {
  return !name.includes(".") || countries.has(name) || isHostingSuffix(name);
}

/** Whether the names directly below this one are those of apps, which a host for apps gives. */
export function isHostingSuffix(name: string): boolean {
  return hosting.has(name) || byRegion.test(name);
}
