export default defineEventHandler(
  async (event) => `${(await readRawBody(event, false))?.byteLength} bytes`,
);
