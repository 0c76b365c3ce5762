import t from 'tap'
import { elementsOf, type Listed, listWithin, tablesOf } from '../../server/transfer/json-list.js'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function read(text: string | Buffer, size = 1 << 16): Promise<Listed[]> {
  const all: Listed[] = []
  for await (const one of elementsOf(inPieces(Buffer.from(text as string), size))) all.push(one)
  return all
}

const values = (all: readonly Listed[]) => all.map(one => (one.fault === undefined ? one.value : one.fault))

t.test('a list is read in pieces of any size', async t => {
  const list = [{ text: 'a, ] } [ { \\" " ü 🎉' }, [1, [2, 3]], 'x,y', null, { deep: { list: [] } }]
  const text = JSON.stringify(list, null, 1)
  for (const size of [1, 2, 3, 5, 1000]) t.same(values(await read(text, size)), list, `pieces of ${size} bytes`)
  t.same(await read(' [ ] \n'), [])
  t.same(values(await read(`\ufeff${text}`)), list, 'a byte order mark is passed over')
})

t.test('a wrong element is a fault of its own', async t => {
  t.same(await read('[{"a":1},{"a":NaN},{"a":2}]'), [
    { number: 1, value: { a: 1 } },
    { number: 2, fault: 'it is no JSON' },
    { number: 3, value: { a: 2 } },
  ])
  t.same(values(await read('[1,,2,]')), [1, 'it is no JSON', 2])
  t.same(values(await read(Buffer.from('[{"a":"\xff"}]', 'latin1'))), [{ a: '\ufffd' }])
})

t.test('an element without end takes a bounded part of the memory', async t => {
  const long = 'x'.repeat(9 * 1024 * 1024)
  t.same(values(await read(`[{"a":"${long}"},{"a":1}]`)), ['it is longer than 8 MB', { a: 1 }])
})

t.test('a list that is cut off yields its whole elements and one fault', async t => {
  const text = JSON.stringify([{ a: 1 }, { a: 2 }, { a: 3 }])
  const cut = 'the file ends here, in the middle of the list'
  t.same(values(await read(text.slice(0, -4))), [{ a: 1 }, { a: 2 }, cut])
  t.same(values(await read('[')), [cut])
})

t.test('what is no list is a fault', async t => {
  for (const text of ['', 'hello', '{"a":[1,2]}', '"[]"']) t.same(values(await read(text)), ['it is no list'], text)
})

t.test('a list within an object is read after the fields before it', async t => {
  const within = async (text: string, size: number) => {
    const all: unknown[] = []
    for await (const one of listWithin(inPieces(Buffer.from(text), size), 'messages')) {
      all.push('head' in one ? one.head : (one.fault ?? one.value))
    }
    return all
  }
  const head = { name: 'a "messages": [ \\', inner: { messages: [1] }, messages2: ['messages'] }
  const text = JSON.stringify({ ...head, messages: [{ a: '"]}' }, 2], count: 2 }, null, 1)
  for (const size of [1, 2, 3, 7, 10_000])
    t.same(await within(text, size), [head, { a: '"]}' }, 2], `pieces of ${size} bytes`)
  t.same(await within('{"messages" : []}', 3), [{}])
  t.same(await within(text.slice(0, text.indexOf('2\n')), 5), [
    head,
    { a: '"]}' },
    'the file ends here, in the middle of the list',
  ])
  for (const none of ['{"a":1}', '[]', '', '{"messages"', '{"a":{"messages":[1]}}'])
    t.same(await within(none, 4), [undefined], none)
  t.same(await within('{broken,"messages":[1]}', 100), [undefined, 1], 'fields that are no JSON')
  t.same(await within('{"messages":{"a":1}}', 100), [{}, 'it is no list'])
})

t.test('tables of an object are read in pieces of any size', async t => {
  const tables = async (text: string, size: number) => {
    const found: unknown[] = []
    for await (const { table, number, ...one } of tablesOf(inPieces(Buffer.from(text), size), ['a', 'c', 'd'])) {
      found.push([table, number, one.fault ?? one.value])
    }
    return found
  }
  const text = JSON.stringify(
    { x: 'a', a: [1, { a: [2] }, '],"c":['], b: [{ c: [3] }], y: { a: [4] }, c: [], d: [[5]], 'ü"': 1 },
    null,
    1,
  )
  const all = [
    ['a', 1, 1],
    ['a', 2, { a: [2] }],
    ['a', 3, '],"c":['],
    ['d', 1, [5]],
  ]
  for (const size of [1, 2, 3, 7, 1000]) t.same(await tables(text, size), all, `pieces of ${size} bytes`)
  t.same(await tables('{"a":[1,nothing,3],"d":[4', 1000), [
    ['a', 1, 1],
    ['a', 2, 'it is no JSON'],
    ['a', 3, 3],
    ['d', 1, 'the file ends here, in the middle of the list'],
  ])
  t.same(await tables('{"b":[1', 3), [['', 1, 'the file ends here, in the middle of an object']])
  t.same(await tables('[{"a":[1]}]', 3), [])
  t.same(await tables('', 3), [])
})
