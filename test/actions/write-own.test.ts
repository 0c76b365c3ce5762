// Changes of what belongs to one user: what they rest on may change between reading and writing, and two may run at once.
import t from 'tap'
import { budgets } from '../../server/config/budgets.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { people } from '../api/messages/scene.js'
import type { Answer, Api } from '../support/http.js'
import { Listener, type Loose } from '../support/in-step.js'
import { deactivate } from '../support/organization.js'
import type { Person } from '../support/people.js'
import { statementsOf } from '../support/queries.js'
import { overtaken } from '../support/races.js'
import { startServer } from '../support/server.js'

const server = await startServer(t)
const { ctx, sql } = server
const second = await startServer(t, {}, server.organization)

let made = 0
const draft = (content = `draft ${++made}`) => ({
  type: 'private',
  to: [],
  topic: '',
  content,
  timestamp: 1_700_000_000,
})

interface Kind {
  readonly table: string
  readonly most: number
  readonly create: (at: Api) => Promise<Answer>
  /** Inserts this number of rows for a user. */
  readonly fill: (userId: number, count: number) => Promise<unknown>
}

/** All of which a user can have only a number. */
const kinds: readonly Kind[] = [
  {
    table: 'drafts',
    most: budgets.drafts.most,
    create: at => at.post('/drafts', { drafts: [draft()] }),
    fill: (id, count) => sql`
      insert into drafts (user_id, type, recipients, topic, content, last_edited)
      select ${id}, '', '{}', '', 'x', now() from generate_series(1, ${count}::int)`,
  },
  {
    table: 'saved_snippets',
    most: budgets.savedSnippets.most,
    create: at => at.post('/saved_snippets', { title: `title ${++made}`, content: 'x' }),
    fill: (id, count) => sql`
      insert into saved_snippets (user_id, title, content) select ${id}, 'x', 'x' from generate_series(1, ${count}::int)`,
  },
  {
    table: 'navigation_views',
    most: budgets.navigationViews.most,
    create: at => at.post('/navigation_views', { fragment: `custom/${++made}`, is_pinned: true, name: `view ${made}` }),
    fill: (id, count) => sql`
      insert into navigation_views (user_id, fragment, is_pinned, name)
      select ${id}, 'x' || n, true, 'x' || n from generate_series(1, ${count}::int) n`,
  },
  {
    table: 'devices',
    most: budgets.devices.most,
    create: at => at.post('/register_client_device'),
    fill: (id, count) => sql`insert into devices (user_id) select ${id} from generate_series(1, ${count}::int)`,
  },
]

async function stored(table: string, { id }: Person): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ${sql(table)} where user_id = ${id}`
  return row?.count ?? 0
}

const lockUser = ({ id }: Person) => `select from users where id = ${id} for no key update`

for (const { table, most, create, fill } of kinds) {
  t.test(`${table}: a creation reads once, and one statement stores it with its event`, async t => {
    const [owner] = await people(server, 1)
    await create(owner)
    const statements = await statementsOf(server, () => create(owner))
    t.match(statements, [/^select xmin/, /^with checked as/])
    t.equal(statements.length, 2, statements.join('\n'))
  })

  t.test(`${table}: the limit holds when several workers create at once`, async t => {
    const [owner] = await people(server, 1)
    await fill(owner.id, most - 2)
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => create(i % 2 === 0 ? owner : second.api(owner))),
    )
    t.same(answers.map(({ status }) => status).sort(), [200, 200, 400, 400, 400, 400])
    t.equal(await stored(table, owner), most)
  })

  t.test(`${table}: an account that is deactivated meanwhile creates nothing`, async t => {
    const [owner] = await people(server, 1)
    const answer = await overtaken(server, {
      first: tx => tx.unsafe(lockUser(owner)),
      request: () => create(owner),
      meanwhile: async tx => {
        const version = await bumpVersion(tx)
        await tx`update users set is_active = false, version = ${version} where id = ${owner.id}`
      },
    })
    t.equal(answer.status, 401)
    t.equal(await stored(table, owner), 0)
  })
}

/** A draft and a listener of its owner. */
async function scene() {
  const [owner] = await people(server, 1)
  const { ids } = await owner.ok('POST', '/drafts', { drafts: [draft('first')] })
  const ear = await Listener.start([ctx, second.ctx], owner)
  return { owner, id: ids[0] as number, ear }
}

const contentOf = async (id: number): Promise<string | undefined> =>
  (await sql<{ content: string }[]>`select content from drafts where id = ${id}`)[0]?.content

t.test('one draft edited at two workers at once: the last event shows what is stored', async t => {
  const { owner, id, ear } = await scene()
  for (let round = 0; round < 4; round++) {
    const texts = ['a', 'b', 'c', 'd'].map(name => `${name} ${round}`)
    const answers = await Promise.all(
      texts.map((text, i) => (i % 2 === 0 ? owner : second.api(owner)).patch(`/drafts/${id}`, { draft: draft(text) })),
    )
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
    const events = await ear.events(t)
    t.same(events.map(event => event.draft.content).sort(), texts)
    t.equal(events.at(-1)?.draft.content, await contentOf(id))
  }
})

t.test('a draft edited and deleted at once: no event of it comes after its removal', async t => {
  for (let round = 0; round < 4; round++) {
    const { owner, id, ear } = await scene()
    const [edited, deleted] = await Promise.all([
      second.api(owner).patch(`/drafts/${id}`, { draft: draft('late') }),
      owner.delete(`/drafts/${id}`),
    ])
    t.equal(deleted.status, 200)
    t.ok([200, 404].includes(edited.status))
    const ops = (await ear.events(t)).map(event => event.op)
    t.same(ops, edited.status === 200 ? ['update', 'remove'] : ['remove'])
    t.equal(await contentOf(id), undefined)
  }
})

t.test('no draft is stored or changed after drafts were switched off meanwhile', async t => {
  const { owner, id, ear } = await scene()
  const requests: readonly (() => Promise<Answer>)[] = [
    () => owner.post('/drafts', { drafts: [draft()] }),
    () => owner.patch(`/drafts/${id}`, { draft: draft() }),
    () => owner.delete(`/drafts/${id}`),
  ]
  for (const request of requests) {
    const settings = (value: boolean): Loose => ({ enable_drafts_synchronization: value })
    const answer = await overtaken(server, {
      first: tx => tx.unsafe(lockUser(owner)),
      request,
      meanwhile: async tx => {
        const version = await bumpVersion(tx)
        await tx`update users set settings = settings || ${tx.json(settings(false))}, version = ${version} where id = ${owner.id}`
      },
    })
    t.match(answer, { status: 400, body: { msg: 'User has disabled synchronizing drafts.' } })
    await owner.ok('PATCH', '/settings', settings(true))
  }
  t.equal(await contentOf(id), 'first')
  t.same(
    (await ear.events(t)).filter(({ type }) => type === 'drafts'),
    [],
  )
})

t.test('the same snippet changed in two parts at two workers keeps both', async t => {
  const [owner] = await people(server, 1)
  const { saved_snippet_id: id } = await owner.ok('POST', '/saved_snippets', { title: 'title', content: 'text' })
  for (let round = 0; round < 4; round++) {
    await Promise.all([
      owner.ok('PATCH', `/saved_snippets/${id}`, { title: `title ${round}` }),
      second.api(owner).ok('PATCH', `/saved_snippets/${id}`, { content: `text ${round}` }),
    ])
    const { saved_snippets } = await owner.ok('GET', '/saved_snippets')
    t.match(saved_snippets, [{ id, title: `title ${round}`, content: `text ${round}` }])
  }
})

t.test('the same name of a view and the same built-in view twice at once', async t => {
  const [owner] = await people(server, 1)
  for (const view of [
    { fragment: 'inbox', is_pinned: true },
    { fragment: 'custom/one', is_pinned: true, name: 'one' },
  ]) {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => (i % 2 ? owner : second.api(owner)).post('/navigation_views', view)),
    )
    t.same(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  }
})

t.test('edits and removals: what they cost, and what is refused', async t => {
  const { owner, id } = await scene()
  const edit = () => owner.ok('PATCH', `/drafts/${id}`, { draft: draft() })
  await edit()
  t.equal((await statementsOf(server, edit)).length, 2)
  t.equal((await statementsOf(server, () => owner.ok('DELETE', `/drafts/${id}`))).length, 1)
  t.equal((await owner.delete(`/drafts/${id}`)).status, 404)
  t.equal((await owner.patch(`/drafts/${id}`, { draft: draft() })).status, 404)
  const { saved_snippet_id } = await owner.ok('POST', '/saved_snippets', { title: 'a', content: 'b' })
  const path = `/saved_snippets/${saved_snippet_id}`
  t.equal((await statementsOf(server, () => owner.ok('PATCH', path, { title: 'c' }))).length, 2)
  t.equal((await statementsOf(server, () => owner.ok('PATCH', path, { title: 'c' }))).length, 1, 'nothing changes')
  t.equal((await statementsOf(server, () => owner.ok('DELETE', path))).length, 1)
  await deactivate(sql, owner.id)
  t.equal((await owner.delete(path)).status, 401)
})

for (const { table, create } of kinds.slice(0, 1)) {
  // It ends while the request waits to read, or to write.
  for (const lock of ['read', 'write']) {
    t.test(`${table}: a connection that ends while the request waits to ${lock}`, async t => {
      // The driver may give the connection to a later statement, too, before it knows of the end.
      const worker = await startServer(t, {}, server.organization)
      const [owner] = await people(server, 1)
      const ear = await Listener.start([ctx, second.ctx], owner)
      const answer = await overtaken(server, {
        first: tx => tx.unsafe(lock === 'read' ? `lock table ${table} in access exclusive mode` : lockUser(owner)),
        request: () => create(worker.api(owner)),
        meanwhile: async (_, pids) => {
          for (const pid of pids) await sql`select pg_terminate_backend(${pid})`
        },
      })
      t.equal(answer.status, 503)
      t.equal(await stored(table, owner), 0)
      t.same(await ear.events(t), [], 'no event without its change')
      t.equal((await create(owner)).status, 200)
      t.equal((await ear.events(t)).length, 1)
    })
  }
}
