// Where the session has ended, data lead to login, and back to the page.
import { followSignIn } from "latchkey/nuxt/client";

export default defineNuxtPlugin(followSignIn);
