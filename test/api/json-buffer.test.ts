import fc from 'fast-check'
import t from 'tap'
import { JsonBuffer } from '../../server/api/json-buffer.js'
import { JsonBuffers } from '../../server/concurrency/json-buffers.js'

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }).map(text => new TextEncoder().encode(text)),
)

t.test('texts and bytes come out in their order, however wrong the size was guessed', async t => {
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 0, max: 200 }), (pieces, size) => {
      const json = new JsonBuffer(new JsonBuffers(), size)
      for (const one of pieces) if (typeof one === 'string') json.text(one)
      for (const one of pieces) if (typeof one !== 'string') json.bytes(one)
      const texts = pieces.filter(one => typeof one === 'string').map(one => Buffer.from(one))
      const bytes = pieces.filter(one => typeof one !== 'string')
      return Buffer.concat([...texts, ...bytes]).equals(json.done())
    }),
  )
  t.pass()
})

t.test('what it gave does not change when another one is made', async t => {
  const first = new JsonBuffer(new JsonBuffers(), 4).text('[1,2,3]').done()
  new JsonBuffer(new JsonBuffers(), 4).text('[4,5,6,7,8]').done()
  t.equal(Buffer.from(first).toString(), '[1,2,3]')
})
