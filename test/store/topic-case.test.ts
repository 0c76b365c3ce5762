import t from 'tap'
import { topicKey } from '../../shared/resources/topic.js'
import { testOrganization } from '../support/server.js'

t.test('JavaScript and PostgreSQL compare topics alike, character by character', async t => {
  const { sql } = await testOrganization(t)
  const rows = await sql<{ code: number; low: string }[]>`
    select code, lower(chr(code)) as low from generate_series(1, 1114111) as code
    where code not between 55296 and 57343 and unicode_assigned(chr(code))`
  const differing = rows.filter(({ code, low }) => topicKey(String.fromCodePoint(code)) !== low)
  t.same(
    differing.map(({ code, low }) => [code.toString(16), low, topicKey(String.fromCodePoint(code))]),
    [],
  )
  t.ok(rows.length > 150_000)
})
