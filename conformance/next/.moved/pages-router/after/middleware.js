import { withMiddlewareAuthRequired } from "latchkey/next/compat";

export default withMiddlewareAuthRequired();

export const config = { runtime: "nodejs", matcher: ["/admin"] };
