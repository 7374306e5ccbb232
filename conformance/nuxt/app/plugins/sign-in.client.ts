// Where the session has ended, data are answered 401: the person signs in again, and comes back to the page.
export default defineNuxtPlugin(() => {
  const { fetch } = globalThis;
  globalThis.fetch = async (...given) => {
    const response = await fetch(...given);
    const isOurs = new URL(response.url).origin === location.origin;
    if (response.status !== 401 || !isOurs) return response;
    const returnTo = encodeURIComponent(location.pathname + location.search);
    location.assign(`/api/auth/login?returnTo=${returnTo}`);
    // Nothing is shown of the error: the page is being left.
    return new Promise<Response>(() => {});
  };
});
