import t from 'tap'
import { plainSidebar, type Sidebar } from '../../../shared/resources/sidebar.js'
import { kinds, Listener } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const path = '/users/me/sidebar'
const sidebarOf = async (who: Person): Promise<Sidebar> =>
  (await who.ok('POST', '/register', { fetch_event_types: ['sidebar'] })).sidebar
const ids = (count: number) => Array.from({ length: count }, (_, id) => id)

t.test('each part is changed alone or with others, and only the account itself learns of it', async t => {
  const [ada, mary] = [await server.person(), await server.person()]
  t.same(await sidebarOf(ada), plainSidebar)
  const [ear, other] = [await Listener.start(server.ctx, ada), await Listener.start(server.ctx, mary)]
  let all = plainSidebar
  for (const change of [
    { sections: ['direct', 'folder:17', 'pinned', 'channels'] },
    { collapsed: ['folder:2147483647', 'direct'], unread_only: true },
    { pinned_channels: [7, 2147483647, 0] },
    { sections: [], pinned_channels: [2] },
    { unread_only: false },
  ] satisfies Partial<Sidebar>[]) {
    all = { ...all, ...change }
    await ada.ok('PATCH', path, { ...change })
    t.match(await ear.inStep(t), [{ type: 'sidebar', ...all }])
    t.same(await sidebarOf(ada), all)
  }
  for (const same of [{ unread_only: false, pinned_channels: [2, 2] }, {}]) await ada.ok('PATCH', path, { ...same })
  t.same(kinds(await ear.inStep(t)), [], 'nothing changed')
  t.same(kinds(await other.inStep(t)), [])
  t.same(await sidebarOf(mary), plainSidebar)
})

t.test('two changes at once lose nothing of each other', async t => {
  const ada = await server.person()
  const changes: readonly Partial<Sidebar>[] = [
    { sections: ['direct'] },
    { collapsed: ['channels'] },
    { pinned_channels: [1] },
    { unread_only: true },
  ]
  await Promise.all(changes.map(change => ada.ok('PATCH', path, { ...change })))
  t.same(await sidebarOf(ada), Object.assign({}, ...changes))
})

t.test('lists have a bound', async t => {
  const ada = await server.person()
  const most = { pinned_channels: ids(1000), collapsed: ids(1000).map(id => `folder:${id + 1}`) }
  await ada.ok('PATCH', path, most)
  t.same(await sidebarOf(ada), { ...plainSidebar, ...most })
  const refused = { status: 400, body: { code: 'BAD_REQUEST' } }
  t.match(await ada.patch(path, { pinned_channels: ids(1001) }), refused)
  for (const name of ['sections', 'collapsed'])
    t.match(await ada.patch(path, { [name]: ids(1001).map(id => `folder:${id + 1}`) }), refused, name)
  t.same(await sidebarOf(ada), { ...plainSidebar, ...most })
})

t.test('refused', async t => {
  const ada = await server.person()
  const cases: object[] = [
    ...['top', '', 'Pinned', ' pinned', 'pinned\n', 'folder:', 'folder:0', 'folder:01', 'folder:-1', 'folder:1.5'].map(
      section => ({ sections: [section] }),
    ),
    { sections: ['folder:12345678901'] },
    { sections: 'pinned' },
    { sections: { 0: 'pinned' } },
    { sections: [null] },
    { sections: [17] },
    { sections: ['pinned', ['direct']] },
    { collapsed: ['folder:one'] },
    { collapsed: true },
    { collapsed: ['direct', 'x'], unread_only: true },
    { pinned_channels: [-1] },
    { pinned_channels: [2147483648] },
    { pinned_channels: [1.5] },
    { pinned_channels: ['1'] },
    { pinned_channels: 1 },
    { unread_only: 'yes' },
    { unread_only: 1 },
    { unread_only: true, pinned_channels: [[1]] },
  ]
  for (const params of cases)
    t.match(
      await ada.patch(path, { ...params }),
      { status: 400, body: { code: 'BAD_REQUEST' } },
      JSON.stringify(params),
    )
  t.same(await sidebarOf(ada), plainSidebar)
})

t.test('who may', async t => {
  for (const role of [100, 200, 300, 400, 600] as const)
    await (await server.person({ role })).ok('PATCH', path, { unread_only: true })
  const bot = await server.person({ bot_type: 1, bot_owner_id: (await server.person()).id })
  t.match(await bot.patch(path, { unread_only: true }), { status: 400, body: { code: 'BAD_REQUEST' } })
  t.equal((await (await server.person({ is_active: false })).patch(path, { unread_only: true })).status, 401)
  t.equal((await server.api(null).patch(path, { unread_only: true })).status, 401)
})
