import t from 'tap'
import { welcomeBot } from '../../../server/actions/messages/system-bots.js'
import { until } from '../../http/until.js'
import type { Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { statementsOf } from '../../support/queries.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql, ctx } = server
const bot = (await welcomeBot(ctx)).id
const say = async (who: Person, to: readonly number[], content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'direct', to, content })).id

/** The bot's answers, when it is decided on this message. */
async function answers(after: number): Promise<Loose[]> {
  await until(async () => {
    const [row] = await sql<{ message_id: number }[]>`select message_id from notification_progress`
    const waiting = await sql`select from jobs where kind = 'notice'`
    return (row?.message_id ?? 0) >= after && waiting.length === 0
  })
  return [
    ...(await sql`
      select m.id, content, c.user_ids as people, coalesce(flags, 0) & 1 as starred
      from messages m join conversations c on c.id = conversation_id left join message_flags f on f.message_id = m.id
      where sender_id = ${bot} and m.id > ${after} order by m.id`),
  ]
}

t.test('the welcome bot answers words that a person writes to it alone, without a star', async t => {
  const person = await server.person()
  const people = [person.id, bot].sort((a, b) => a - b)
  for (const [content, answer] of [
    ['help', /`apps`, `profile`/],
    ['**Topics?**', /^Each message in a channel has a topic/],
    [' PROFILE! ', /#settings\/profile/],
    ['constructor', /`apps`, `profile`/],
    ['Where is the coffee?', /ask an administrator/],
  ] as const) {
    const id = await say(person, [bot], content)
    t.match(await answers(id), [{ content: answer, people, starred: 0 }], content)
  }
})

t.test('it speaks the language of the person', async t => {
  const person = await server.person({ settings: { default_language: 'de' } })
  for (const [content, answer] of [
    ['Hilfe', /^Ich antworte auf ein Wort: `apps`, `profil`/],
    ['Kana\u0308le?', /^Ein Kanal ist für ein Team/],
    ['topics', /^Ich antworte auf ein Wort/],
  ] as const) {
    const id = await say(person, [bot], content)
    t.match(await answers(id), [{ content: answer }], content)
  }
})

t.test('it answers neither bots, groups nor messages to others', async t => {
  const [person, other] = [await server.person(), await server.person()]
  const program = await server.person({ bot_type: 1, bot_owner_id: person.id })
  for (const [who, to] of [
    [program, [bot]],
    [person, [bot, other.id]],
    [person, [other.id]],
    [person, [person.id]],
  ] as const) {
    t.same(await answers(await say(who, to, 'help')), [])
  }
})

t.test('each message is answered once, also when several come at once, and an edit is not answered', async t => {
  const person = await server.person()
  const before = await say(person, [person.id], 'first')
  const ids = await Promise.all(['help', 'apps', 'theme', 'channels'].map(word => say(person, [bot], word)))
  await answers(Math.max(...ids))
  t.equal((await answers(before)).length, 4)
  await person.ok('PATCH', `/messages/${ids[0]}`, { content: 'apps' })
  await answers(await say(person, [person.id], 'last'))
  t.equal((await answers(before)).length, 4)
})

t.test('a count of statements leaves out those that decide on an earlier message', async t => {
  const person = await server.person()
  await answers(await say(person, [bot], 'help'))
  const looks = () => server.jobs.lanes.get('decide-notifications')?.counts.outcomes.done ?? 0
  // While its transaction is open, the message after it is not settled.
  const outside = server.organization.outside(t)
  await outside`begin`
  await outside`select pg_current_xact_id()`
  const id = await say(person, [bot], 'help')
  const before = looks()
  await until(() => looks() > before + 1)
  const statements = await statementsOf(server, async () => {
    await outside`commit`
    await until(async () => (await sql`select from notification_progress where message_id >= ${id}`).length > 0)
  })
  const isOfDeciding = (text: string) =>
    /new_mentions|notification_progress|select id, content from messages/.test(text)
  t.same(statements.filter(isOfDeciding), [])
})
