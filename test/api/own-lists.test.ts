import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import type { Params } from '../support/http.js'
import { changeDirectory } from '../support/organization.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)

// Each register answer contains all data of the account, so their number must be bounded.
const kinds: Readonly<Record<string, { path: string; params: Params; fill(userId: number): Promise<unknown> }>> = {
  'saved snippets': {
    path: '/saved_snippets',
    params: { title: 'x', content: 'x' },
    fill: userId => server.sql`
      insert into saved_snippets (user_id, title, content)
      select ${userId}, 'x', 'x' from generate_series(1, 999)`,
  },
  'navigation views': {
    path: '/navigation_views',
    params: { is_pinned: true },
    fill: userId => server.sql`
      insert into navigation_views (user_id, fragment, is_pinned, name)
      select ${userId}, 'v' || n, true, 'v' || n from generate_series(1, 999) as n`,
  },
  devices: {
    path: '/register_client_device',
    params: {},
    fill: userId => server.sql`insert into devices (user_id) select ${userId} from generate_series(1, 999)`,
  },
}

for (const [name, { path, params, fill }] of Object.entries(kinds)) {
  t.test(`of ${name} an account has a thousand, also when it asks for two at once`, async t => {
    const [person, other] = [await server.person(), await server.person()]
    await fill(person.id)
    const built = ['inbox', 'recent', 'feed']
    const add = (who: typeof person) => who.post(path, { ...params, fragment: built.pop() ?? 'drafts' })
    const answers = await Promise.all([add(person), add(person), add(person)])
    t.same(answers.map(answer => answer.status).sort(), [200, 400, 400])
    t.match(
      answers.filter(answer => answer.status === 400).map(answer => answer.body.code),
      ['BAD_REQUEST', 'BAD_REQUEST'],
    )
    t.equal((await add(other)).status, 200, 'each has its own')
  })
}

t.test('the contents of saved snippets have a bound together, also when one is edited', async t => {
  const person = await server.person()
  const { most } = budgets.savedSnippetCharacters
  const add = (characters: number) => person.post('/saved_snippets', { title: 'x', content: 'x'.repeat(characters) })
  await server.sql`
    insert into saved_snippets (user_id, title, content)
    select ${person.id}, 'x', repeat('ä', 10000) from generate_series(1, ${most / 10_000 - 1})`
  const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 1000000 characters together/ } }
  const { body } = await add(9_000)
  t.match(await add(1_001), refused)
  t.match(await person.patch(`/saved_snippets/${body.saved_snippet_id}`, { content: 'x'.repeat(10_000) }), {
    status: 200,
  })
  t.match(await add(1), refused)
  t.equal((await person.patch(`/saved_snippets/${body.saved_snippet_id}`, { content: 'x'.repeat(9_999) })).status, 200)
  const both = await Promise.all([add(1), add(1)])
  t.same(both.map(answer => answer.status).sort(), [200, 400])
  t.equal((await person.patch(`/saved_snippets/${body.saved_snippet_id}`, { content: 'x'.repeat(10_000) })).status, 400)
  t.equal((await person.ok('GET', '/saved_snippets')).saved_snippets.length, most / 10_000 + 1)
})

t.test(
  'of topics with a policy an account has ten thousand; those that it has can be changed and taken back',
  async t => {
    const [person, owner] = [await server.person(), await server.person({ role: 100 })]
    const { id } = await owner.ok('POST', '/channels/create', { name: 'policies', subscribers: [person.id] })
    await server.sql`
    insert into user_topics (user_id, channel_id, topic, visibility_policy, last_updated)
    select ${person.id}, ${id}, 't' || n, 1, now() from generate_series(1, ${budgets.userTopics.most - 1}) as n`
    const set = (topic: string, visibility_policy: number) =>
      person.post('/user_topics', { stream_id: id, topic, visibility_policy })
    const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 10000 topics/ } }
    t.same((await Promise.all([set('new', 3), set('newer', 3)])).map(answer => answer.status).sort(), [200, 400])
    t.match(await set('another', 1), refused)
    t.match(await set('another', 2), refused)
    t.equal((await set('another', 0)).status, 200, 'nothing to keep')
    t.equal((await set('T1', 3)).status, 200)
    t.equal((await set('t1', 0)).status, 200)
    t.equal((await set('another', 1)).status, 200)
    t.match(await set('one more', 1), refused)
  },
)

t.test('of keys a bot has ten thousand; those that it has can be overwritten', async t => {
  const bot = await server.person({ bot_type: 1 })
  const { most } = budgets.storedKeys
  const { most: atOnce } = budgets.storageKeys
  const keys = (from: number, count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, value]))
  for (let from = 0; from < most; from += atOnce)
    await bot.ok('PUT', '/bot_storage', { storage: keys(from, atOnce, '') })
  const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 10000 keys/ } }
  t.match(await bot.put('/bot_storage', { storage: { more: '' } }), refused)
  t.match(await bot.put('/bot_storage', { storage: { k0: 'x', more: '' } }), refused)
  t.equal((await bot.put('/bot_storage', { storage: keys(0, atOnce, 'x') })).status, 200)
  await bot.ok('DELETE', '/bot_storage', { keys: ['k0'] })
  t.match(await bot.put('/bot_storage', { storage: { k0: '', more: '' } }), refused)
  t.same(
    (await Promise.all(['a', 'b'].map(key => bot.put('/bot_storage', { storage: { [key]: '' } }))))
      .map(one => one.status)
      .sort(),
    [200, 400],
  )
})

t.test('an account makes so many groups, deactivated ones included; others may go on', async t => {
  const [person, other] = [await server.person({ role: 200 }), await server.person({ role: 200 })]
  await changeDirectory(
    server.sql,
    (tx, version) => tx`
      insert into user_groups (name, description, is_system_group, deactivated, creator_id, settings, version)
      select 'made ' || n, '', false, n % 2 = 0, ${person.id}, '{}', ${version}
      from generate_series(1, ${budgets.groupsMade.most}) as n`,
  )
  const make = (who: typeof person, name: string) =>
    who.post('/user_groups/create', { name, description: '', members: [] })
  const refused = { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 2000 user groups/ } }
  t.match(await make(person, 'one more'), refused)
  t.match(await make(person, 'and another'), refused)
  t.equal((await make(other, 'one more')).status, 200)
})

t.test('an organization has so many linkifiers', async t => {
  const admin = await server.person({ role: 200 })
  await server.sql`
    insert into linkifiers (pattern, url_template, position)
    select 'AB' || n || '(?P<id>[0-9]+)', 'https://x.example/' || n || '/{id}', n from generate_series(1, ${budgets.linkifiers.most - 1}) as n`
  await changeDirectory(server.sql, (tx, version) => tx`update linkifier_list set version = ${version}`)
  const add = (pattern: string) => admin.post('/realm/filters', { pattern, url_template: 'https://y.example/{id}' })
  const answers = await Promise.all([add('CD(?P<id>[0-9]+)'), add('EF(?P<id>[0-9]+)')])
  t.same(answers.map(answer => answer.status).sort(), [200, 400])
  t.match(await add('GH(?P<id>[0-9]+)'), { status: 400, body: { code: 'BAD_REQUEST', msg: /at most 200 linkifiers/ } })
})
