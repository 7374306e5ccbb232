export default defineEventHandler((event) => sendRedirect(event, "/private"));
