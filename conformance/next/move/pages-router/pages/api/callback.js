import { CallbackHandlerError, handleCallback, IdentityProviderError } from "@auth0/nextjs-auth0";

/** Ben may not sign in, and Clara goes home. */
async function afterCallback(request, response, session) {
  if (session.user.sub === "person-ben") {
    response.status(401).end("Ben may not sign in");
    return undefined;
  }
  if (session.user.sub === "person-clara") response.setHeader("Location", "/?welcome");
  return { ...session, seenBy: request.url.split("?")[0] };
}

export default async function callback(request, response) {
  try {
    await handleCallback(request, response, { afterCallback });
  } catch (error) {
    const isDenied = error.cause instanceof IdentityProviderError;
    const { code, status } = error;
    const { error: reason, errorDescription } = isDenied ? error.cause : {};
    const isOfCallback = error instanceof CallbackHandlerError;
    response.status(status).json({ code, isOfCallback, reason, errorDescription });
  }
}
