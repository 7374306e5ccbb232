export default defineEventHandler((event) => sendProxy(event, `${process.env["UPSTREAM"]}/`));
