import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const packing = {
  '.gz': data => gzipSync(data, { level: 9 }),
  '.br': data => brotliCompressSync(data),
}
// What is packed already, as pictures are, only grows.
const packable = /\.(?:html|js|css|svg|json|webmanifest)$/

/** Writes each text file a second and third time, packed, so that no request has to wait for that. Of what lies on the disk: the bundler changes chunks until then. */
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
