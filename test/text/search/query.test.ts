// How what a person writes to search for is understood.
import fc from 'fast-check'
import t from 'tap'
import { parseSearch, tsquery } from '../../../server/text/search/query.js'
import { stemsIn } from '../../../server/text/search/stems.js'
import { testOrganization } from '../../support/server.js'

const stems = stemsIn(['de', 'en'])
const asked = (text: string) => tsquery(parseSearch(text, stems).groups)

t.test('words, phrases, negations and alternatives', async t => {
  for (const [text, query] of [
    ['fill', "(('fill':*))"],
    ['walked far', "(('walked' | 'walk')) & (('far':*))"],
    ['"walked far"', "(('walked':AD <1> 'far':AD))"],
    ['"walked far', "(('walked':AD <1> 'far':AD))"],
    ['a -bob', "(('a')) & (!('bob'))"],
    ['a -"b c"', "(('a')) & (!('b':AD <1> 'c':AD))"],
    ['a or b c', "(('a') | ('b')) & (('c'))"],
    ['or', "(('or':*))"],
    ['a or', "(('a')) & (('or':*))"],
    ['or b', "(('or')) & (('b'))"],
    ['a or ... b', "(('a')) & (('b'))"],
    ['v2.1', "(('v' <1> '2' <1> '1'))"],
    ['getUser', "(('getuser':* | 'getus' | 'get' <1> 'user':*))"],
    ['"getUser"', "(('getuser':AD | 'get':AD <1> 'user':AD))"],
    ['我', "(('我':*))"],
    ['我家', "(('我家'))"],
    ['"我家东 go"', "(('我家':AD <1> '家东':AD <2> 'go':AD))"],
    ['e-mail', "(('e' <1> 'mail':* | 'email':*))"],
  ] as const)
    t.equal(asked(text), query, text)
})

t.test('a text without words has no query', async t => {
  for (const text of ['...', '->', '""', '-', '- -', '\ud800', '\u202e', '_', "'"])
    t.equal(asked(text), undefined, text)
})

t.test('whatever is searched for, PostgreSQL accepts the query', async t => {
  const { sql } = await testOrganization(t)
  const odd = ['&|!():*<->\'"\\%_', '\ud800\udfff', '\u202e\u2066\u200b', 'ab上あ안โคक', "' | 'x':*A", 'or -']
  const given = fc.string({
    unit: fc.oneof(fc.constantFrom(...odd.join('')), fc.string({ unit: 'grapheme' })),
    maxLength: 60,
  })
  await fc.assert(
    fc.asyncProperty(given, async text => {
      const query = asked(text)
      if (query !== undefined) await sql`select ${query}::tsquery`
    }),
    { numRuns: 300 },
  )
  for (const unit of ['x', 'word ', '上', 'ア', '안', 'ก', 'я', 'ع', 'א', 'क', '-a ', 'a or ', '"a" ', 'x.'])
    await sql`select ${asked(unit.repeat(1000).slice(0, 1000)) ?? ''}::tsquery`
})
