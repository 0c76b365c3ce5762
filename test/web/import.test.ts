import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../http/until.js'
import { writeContactSheet } from '../platform/moving-in/contact-sheet.js'
import { writeArchive } from '../support/archive.js'
import { startServer } from '../support/server.js'
import { violationsOf } from './support/accessibility.js'
import { launchBrowser, messageWith, needsBrowser, openWindow, phone, textsOf } from './support/browser.js'

const thread = { thread_ts: '1709542800.000100' }
const slack = {
  'users.json': [
    { id: 'U1', real_name: 'Alice', is_admin: true, profile: { email: 'alice@acme.example' } },
    { id: 'U2', real_name: 'Bob', profile: { email: 'bob@elsewhere.example' } },
    { id: 'U3', real_name: 'Carl', profile: {} },
    { id: 'U4', real_name: 'Dora', profile: { email: 'dora@acme.example' } },
  ],
  'channels.json': [
    { id: 'C1', name: 'general', is_general: true, members: ['U1', 'U2', 'U3', 'U4'] },
    { id: 'C2', name: 'ops', members: ['U1', 'U2'] },
    { id: 'C3', name: 'noise', members: ['U1', 'U2'] },
  ],
  'general/2024-03-04.json': [
    { user: 'U2', ts: '1709542800.000100', ...thread, text: 'Shall we *ship* on Friday, <@U1>?' },
    { user: 'U3', ts: '1709542801.000100', ...thread, text: 'The lighthouse is ready' },
    { user: 'U2', ts: '1709542802.000100', subtype: 'channel_join', text: 'joined' },
    17,
  ],
  'ops/2024-03-05.json': [{ user: 'U2', ts: '1709629200.000100', text: 'Disk replaced' }],
  'noise/2024-03-05.json': [{ user: 'U1', ts: '1709629201.000100', text: 'Noise' }],
}

t.test('an administrator brings the history of a team from Slack', needsBrowser, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-web-import-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const server = await startServer(t)
  const alice = await server.person({ role: 200, email: 'alice@acme.example', full_name: 'Alice Archer' })
  const robert = await server.person({ full_name: 'Robert Brown' })
  const carla = await server.person({ full_name: 'Carla Cole' })
  const browser = await launchBrowser(t)
  const { page, wrongs } = await openWindow(browser, `${server.url}/#organization/imports`, alice)
  const pane = page.getByRole('main', { name: 'Import', exact: true })
  const upload = async (name: string, file: string) =>
    pane
      .getByLabel('Archive (ZIP, tar.gz, JSON)')
      .setInputFiles({ name, mimeType: 'application/zip', buffer: await readFile(file) })
  const file = await writeArchive(folder, 'acme.zip', slack)
  /** With PICTURES, those of docs/moving-in.md. */
  const look = async (name: string) => {
    if (process.env.PICTURES) await writeContactSheet(page, join(process.env.PICTURES, `${name}-en.webp`))
  }

  await t.test('a file that is no archive says why it failed, and is removed', async t => {
    await pane.getByText('No archive has been uploaded yet.').waitFor()
    await upload('broken.zip', await writeArchive(folder, 'broken.zip', { 'readme.txt': 'Hello' }))
    await pane.getByText(/^The archive is of no known server/).waitFor()
    t.equal(await pane.getByRole('button', { name: 'Import', exact: true }).count(), 0)
    await pane.getByRole('button', { name: 'Remove the archive broken.zip' }).click()
    await pane.getByRole('button', { name: /really/i }).click()
    await pane.getByText('No archive has been uploaded yet.').waitFor()
  })

  await t.test('the plan says what is in the archive', async () => {
    await upload('acme.zip', file)
    await pane.getByText('4 of 6, 1 in threads').waitFor()
    await pane.getByText('4 people, 1 of them with an account here, 0 deactivated; 0 bots').waitFor()
    await pane.getByText('3 public, 0 private; 0 archived').waitFor()
    await pane.getByText('Without an address: 1').click()
    await pane.getByRole('listitem').getByText('Carl', { exact: true }).first().waitFor()
    await pane.getByText('Faults: 1').click()
    await pane.getByText(/^general\/2024-03-04\.json #4/).waitFor()
    await pane.getByText('Messages that are left out: 1').waitFor()
    await look('import-plan')
  })

  await t.test('two people are found, a channel gets another name, and one is left out', async () => {
    await pane.getByText('Who is who').click()
    for (const [name, words, account] of [
      ['Bob', 'robert', 'Robert Brown'],
      ['Carl', 'carla', 'Carla Cole'],
    ] as const) {
      const row = pane
        .locator('details .entries > li')
        .filter({ has: page.getByLabel(`Choose the account of ${name}`) })
      await row.getByRole('button', { name: `Choose the account of ${name}` }).click()
      await row.getByRole('searchbox').fill(words)
      await row.getByRole('button', { name: account, exact: true }).click()
      await row.getByText(`is ${account}`).waitFor()
    }
    await pane.getByText('gets an account').waitFor()
    await pane.getByText('Channels and their names').click()
    await pane.getByLabel('New name of ops').fill('operations')
    await pane.getByRole('checkbox', { name: /noise/ }).uncheck()
    await look('import-choices')
  })
  t.same(await violationsOf(page, 'light and dark'), [])

  await t.test('it is imported, and the report says what was written', async t => {
    await pane.getByRole('button', { name: 'Import', exact: true }).click()
    await pane.getByText(/ · imported$/).waitFor()
    await pane.getByText(/^Imported: \d+$/).click()
    await pane.getByText('messages: 3', { exact: true }).waitFor()
    t.equal(await pane.getByRole('button', { name: 'Import', exact: true }).count(), 0)
  })

  await t.test('a thread is a topic, an old message is found, nothing is unread', async t => {
    const { stream_id: general } = await alice.ok('GET', '/get_stream_id', { stream: 'general' })
    await until(async () => (await alice.ok('GET', '/users/me/subscriptions')).subscriptions.length > 1)
    await page.goto(`${server.url}/#channel/${general}`)
    await page
      .getByRole('link', { name: /Shall we ship on Friday/ })
      .first()
      .click()
    await messageWith(page, 'The lighthouse is ready').waitFor()
    await look('import-topic')
    t.same(await textsOf(page), ['Shall we ship on Friday, @Alice Archer?', 'The lighthouse is ready'])
    await page.goto(`${server.url}/#search/disk`)
    await page.locator('.content .highlight', { hasText: 'Disk' }).waitFor()
    for (const person of [alice, robert, carla]) {
      const narrow = [{ operator: 'is', operand: 'unread' }]
      const { messages } = await person.ok('GET', '/messages', {
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
        narrow,
      })
      t.same(messages, [])
    }
    const { streams } = await alice.ok('GET', '/streams', { include_all: true })
    const names = streams.map((one: { name: string }) => one.name)
    t.ok(names.includes('operations') && !names.includes('noise'))
    t.notMatch(await page.title(), /^\(\d+\)/)
  })

  await t.test('a phone shows it without a scroll bar, and members have no such section', async t => {
    const small = await openWindow(browser, `${server.url}/#organization/imports`, alice, phone)
    await small.page.getByText(/ · imported$/).waitFor()
    t.ok(await small.page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    const his = await openWindow(browser, `${server.url}/#organization/imports`, robert)
    await his.page.getByRole('link', { name: 'Storage' }).waitFor()
    t.equal(await his.page.getByRole('link', { name: 'Import', exact: true }).count(), 0)
    t.same([...small.wrongs, ...his.wrongs], [])
  })

  await t.test('the import is undone after a second click, and its channels go', async t => {
    await page.evaluate("location.hash = '#organization/imports'")
    await pane.getByText(/^Takes away all messages of this archive/).waitFor()
    await look('import-undo')
    await pane.getByRole('button', { name: 'Undo the import of acme.zip' }).click()
    t.equal((await alice.ok('GET', '/imports')).imports[0].state, 'finished', 'one click does nothing')
    await pane.getByRole('button', { name: 'Really undo the import' }).click()
    await pane.getByText(/ · taken away$/).waitFor()
    await pane.getByText('4 messages, 2 channels and 1 account were taken away.').waitFor()
    await page.getByRole('link', { name: /^operations/ }).waitFor({ state: 'detached' })
    t.equal(await pane.getByRole('button', { name: /^Undo/ }).count(), 0)
    const { streams } = await alice.ok('GET', '/streams', { include_all: true })
    t.notOk(streams.some((one: { name: string }) => one.name === 'operations'))
    t.same(await violationsOf(page, 'light and dark'), [])
  })
  t.same(wrongs, [])
})
