/** express-openid-connect with its sessions in cookies. */
import { startApp } from "./express-openid-connect-app.js";

startApp();
