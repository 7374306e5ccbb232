import { readdir, readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";

const compressible = /\.(?:css|js|svg)$/;

/** Writes a `.br` and a `.gz` beside each file of a folder if they are smaller. */
export async function compressFiles(folder: URL): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const file = `${entry.parentPath}/${entry.name}`;
    const content = await readFile(file);
    await writeFile(`${file}.br`, brotliCompressSync(content));
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
