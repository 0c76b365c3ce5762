import assert from 'node:assert/strict'
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

t.test('whole numbers are elements of the array that was opened last', async t => {
  const near = [0, 9, 10, 99_999, 100_000, 2 ** 31 - 1, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]
  const number = fc.oneof(fc.constantFrom(...near), fc.maxSafeNat(), fc.nat(100_000))
  const numbers = fc.uniqueArray(number).map(list => list.sort((a, b) => a - b))
  fc.assert(
    fc.property(numbers, fc.nat(10), fc.integer({ min: 0, max: 20 }), (list, cut, size) => {
      const json = new JsonBuffer(new JsonBuffers(), size).text('[[7],[')
      const middle = Math.min(cut, list.length)
      json.elements(list, 0, middle).elements(list, middle, list.length)
      assert.equal(Buffer.from(json.text(']]').done()).toString(), JSON.stringify([[7], list]))
    }),
  )
  t.pass()
})

t.test('what it gave does not change when another one is made', async t => {
  const first = new JsonBuffer(new JsonBuffers(), 4).text('[1,2,3]').done()
  new JsonBuffer(new JsonBuffers(), 4).text('[4,5,6,7,8]').done()
  t.equal(Buffer.from(first).toString(), '[1,2,3]')
})
