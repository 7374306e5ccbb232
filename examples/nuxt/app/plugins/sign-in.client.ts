// After the session has ended, data leads to login, and back to the page.
import { followSignIn } from "latchkey/nuxt/client";

export default defineNuxtPlugin(followSignIn);
