import {
  AccessTokenError,
  AccessTokenErrorCode,
  type AfterCallbackPageRoute,
  type AfterRefreshPageRoute,
  getAccessToken,
  getSession,
  handleAuth,
  handleCallback,
  handleLogin,
  type HandlerError,
  touchSession,
  updateSession,
  withApiAuthRequired,
  withPageAuthRequired,
} from "@auth0/nextjs-auth0";
import type { NextApiRequest, NextApiResponse } from "next";

const afterCallback: AfterCallbackPageRoute = (_request, response, session) => {
  delete session.refreshToken;
  if (session.user.isAdmin) return session;
  response.status(401).end("Not an admin");
  return undefined;
};

const afterRefresh: AfterRefreshPageRoute = (_request, _response, session) => session;

export default handleAuth({
  async callback(request: NextApiRequest, response: NextApiResponse) {
    try {
      await handleCallback(request, response, { afterCallback });
    } catch (error) {
      response.status((error as HandlerError).status || 500).end();
    }
  },
  async login(request: NextApiRequest, response: NextApiResponse) {
    await handleLogin(request, response, { returnTo: "/profile" });
  },
  onError(_request: NextApiRequest, response: NextApiResponse, error: HandlerError) {
    response.status(error.status || 500).end();
  },
});

async function orders(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  try {
    const { accessToken } = await getAccessToken(request, response, { afterRefresh });
    const session = await getSession(request, response);
    if (session) await updateSession(request, response, { ...session, seen: true });
    await touchSession(request, response);
    response.json({ accessToken, name: session?.user.name.toUpperCase() });
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error;
    response.status(error.code === AccessTokenErrorCode.EXPIRED_ACCESS_TOKEN ? 401 : 500).end();
  }
}

export function isFinal(code: AccessTokenErrorCode): boolean {
  return code !== AccessTokenErrorCode.FAILED_REFRESH_GRANT;
}

export const handler = withApiAuthRequired(orders);

export const getServerSideProps = withPageAuthRequired({
  returnTo: "/profile",
  async getServerSideProps({ req, res }) {
    const session = await getSession(req, res);
    return { props: { nickname: session?.user.nickname } };
  },
});
