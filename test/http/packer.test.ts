import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { Packer } from '../../server/http/packer.js'
import { SharedBytes } from '../../server/memory/shared-bytes.js'

const bytes = SharedBytes.around(Buffer.alloc(9 * 1024 * 1024, 'users '))

t.test('what waits for threads is bounded, also where brotli cannot use what is shared', async t => {
  const packer = new Packer()
  const first = packer.pack([bytes], 'br')
  t.ok(first instanceof Promise)
  t.equal(packer.pack([bytes], 'br'), undefined)
  const shared = packer.pack([bytes], 'gzip')
  t.ok(shared instanceof Promise, 'gzip compresses it once for all')
  t.ok(brotliDecompressSync(Buffer.concat((await first) ?? [])).equals(bytes))
  t.ok(gunzipSync(Buffer.concat((await shared) ?? [])).equals(bytes))
  const next = packer.pack([bytes], 'br')
  t.ok(next instanceof Promise, 'there is room again')
  await next
})
