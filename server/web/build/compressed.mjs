import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const packing = {
  '.gz': data => gzipSync(data, { level: 9 }),
  '.br': data => brotliCompressSync(data),
}
// Files in compressed formats, such as images, would only grow.
const packable = /\.(?:html|js|css|svg|json|webmanifest)$/

/**
 * Writes compressed copies of each text file at build time, so that no request waits for compression. It reads the
 * files from disk, because the bundler changes chunks until it writes them.
 */
export function compressed() {
  return {
    name: 'compressed',
    enforce: 'post',
    writeBundle({ dir }) {
      for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
        if (entry.isFile() && packable.test(entry.name)) pack(join(entry.parentPath ?? entry.path, entry.name))
      }
    },
  }
}

function pack(file) {
  const data = readFileSync(file)
  for (const [ending, packed] of Object.entries(packing)) {
    const bytes = packed(data)
    if (bytes.length < data.length) writeFileSync(file + ending, bytes)
  }
}
