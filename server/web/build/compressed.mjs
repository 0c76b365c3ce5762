import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const packing = {
  '.gz': data => promisify(gzip)(data, { level: 9 }),
  '.br': data => promisify(brotliCompress)(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }),
}
// What is packed already, as pictures are, only grows.
const packable = /\.(?:html|js|css|svg|json|webmanifest|txt)$/

/** Writes each text file a second and third time, packed: no request has to wait for that. */
export function compressed() {
  return {
    name: 'compressed',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => packable.test(fileName))
      for (const file of files) {
        const data = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        for (const [ending, pack] of Object.entries(packing)) {
          const source = await pack(data)
          if (source.length < data.length) this.emitFile({ type: 'asset', fileName: file.fileName + ending, source })
        }
      }
    },
  }
}
