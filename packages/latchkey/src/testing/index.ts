export { type StoreTest, storeTests } from "../stores/store-tests.ts";
export type { BrowserCookie } from "./browser-cookies.ts";
export { signedInCookies, type TestSignIn } from "./signed-in-cookies.ts";
export {
  createTestKit,
  type Page,
  type TestCookies,
  type TestKit,
  type TestSession,
  type TestState,
} from "./test-kit.ts";
