import t from 'tap'
import { topicKey } from '../../shared/resources/topic.js'
import { anyOf, seeded, seedOf } from '../support/random.js'
import { testOrganization } from '../support/server.js'

const { sql } = await testOrganization(t)

t.test('JavaScript and PostgreSQL compare topics alike, character by character', async t => {
  const rows = await sql<{ code: number; low: string; assigned: boolean }[]>`
    select code, lower(chr(code)) as low, unicode_assigned(chr(code)) as assigned from generate_series(1, 1114111) as code
    where code not between 55296 and 57343`
  const differing = rows.filter(({ code, low }) => topicKey(String.fromCodePoint(code)) !== low)
  // JavaScript may know a newer Unicode than PostgreSQL (docs/protocol/names.md#topics).
  t.same(
    differing
      .filter(({ assigned }) => assigned)
      .map(({ code, low }) => [code.toString(16), low, topicKey(String.fromCodePoint(code))]),
    [],
  )
  t.same(
    differing.filter(({ code, low }) => low !== String.fromCodePoint(code)),
    [],
    'what PostgreSQL does not know it leaves',
  )
  t.ok(rows.filter(({ assigned }) => assigned).length > 150_000)
})

// Letters whose case depends on neighbours or languages, or has several characters, among combining signs and letters of two halves.
const letters = [..."ΑΣςσ ΣßẞSsIıİiK\u212akÅ\u212bǅǆŉΐﬁŉԱև\u0307\u0345\u0301\u200d.'-𐐀𐐨𞤀ⒶⅠаАꙊᲈ"]

t.test('and so they do whole texts, whatever stands beside a letter', async t => {
  const seed = seedOf('TOPIC_SEED')
  const random = seeded(seed)
  const texts = Array.from({ length: 2000 }, () =>
    Array.from({ length: 1 + random(12) }, () => anyOf(letters, random)).join(''),
  )
  const rows = await sql<{ text: string; low: string }[]>`
    select given.text, lower(given.text) as low from unnest(${texts}::text[]) as given (text)`
  t.equal(rows.length, texts.length)
  t.same(
    rows.filter(({ text, low }) => topicKey(text) !== low),
    [],
    `seed ${seed}`,
  )
})
