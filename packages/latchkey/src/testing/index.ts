export { type StoreTest, storeTests } from "../stores/store-tests.ts";
export type { BrowserCookie } from "./browser-cookies.ts";
export { signedInCookies } from "./signed-in-cookies.ts";
export { createTestKit, type TestKit } from "./test-kit.ts";
