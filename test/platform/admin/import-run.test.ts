import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { writeArchive } from '../../support/archive.js'
import { startServer, testOrganization } from '../../support/server.js'
import { runAdmin, runWith } from './run-admin.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-run-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const archive = await writeArchive(folder, 'slack.zip', {
  'users.json': [{ id: 'U1', real_name: 'Alice\u001b[2J', profile: { email: 'alice@acme.example' } }],
  'channels.json': [{ id: 'C1', name: 'general', members: ['U1'] }],
  'general/2024-03-04.json': [
    { user: 'U1', ts: '1709542800.000100', text: 'Hello', reactions: [{ name: 'gone\u001b', users: ['U1'] }] },
    {
      user: 'U1',
      ts: '1709542802.000100',
      text: 'File',
      files: [{ name: 'a.txt', url_private: 'https://files.slack.com/a' }],
    },
    { user: 'U1', ts: '1709542801.000100', subtype: 'channel_join' },
  ],
})

t.test('import run, status and undo', async t => {
  const organization = await testOrganization(t)
  const { sql } = organization
  t.match(await runAdmin(organization, ['import', 'status', '--json']), { code: 0, stdout: '[]\n' })
  t.match(await runAdmin(organization, ['import', 'status', '1']), { code: 1, stderr: /There is no import 1/ })
  t.match(await runAdmin(organization, ['import', 'status', 'x']), { code: 1, stderr: /There is no import x/ })
  t.equal((await runAdmin(organization, ['import', 'run'])).code, 2, 'a file has to be named')
  const missing = await runAdmin(organization, ['import', 'run', join(folder, 'missing.zip'), '--json'])
  t.match(JSON.parse(missing.stderr), { code: 'UNUSABLE_ARCHIVE' })

  const run = await runAdmin(organization, ['import', 'run', archive])
  t.equal(run.code, 0, run.stderr)
  t.match(
    run.stdout,
    /^import 1 from Slack: finished\nmessages: 2\nfiles waiting: 1\nreactions with an emoji that is not here: 1\n/,
  )
  t.match(run.stdout, /^ {2}C1 1709542800\.000100: :gone\?:$/m, 'a name moves no cursor')
  t.match(run.stdout, /^messages: source 3 = kept 2 \+ dropped 1 \(join 1\) \+ faulty 0$/m)
  t.same(await sql`select content from messages order by id`, [
    { content: 'Hello' },
    { content: 'File\n*(a.txt: not here yet.)*' },
  ])
  t.same(await sql`select event from audit_log where event like 'import%'`, [{ event: 'import' }])
  t.match((await runAdmin(organization, ['import', 'status'])).stdout, /^ID.*\n1 +Slack +finished +2 /)
  const shown = await runAdmin(organization, ['import', 'status', '1', '--json'])
  t.match(JSON.parse(shown.stdout), { state: 'finished', written: { messages: 2 }, checked: { messages: { kept: 2 } } })

  t.match(JSON.parse(shown.stdout), { files: [{ state: 'waiting', files: 1 }] })
  t.match(await runAdmin(organization, ['import', 'files', '7']), { code: 1, stderr: /There is no import 7/ })
  t.match(await runAdmin(organization, ['import', 'files', '1', '--token-file', archive]), {
    code: 1,
    stderr: /need --retry/,
  })
  t.match(await runAdmin(organization, ['import', 'files', '1', '--retry', '--token-file', archive]), {
    code: 1,
    stderr: /holds no token/,
  })
  t.match(await runAdmin(organization, ['import', 'files', '1', '--retry', '--archive', join(folder, 'missing.zip')]), {
    code: 1,
    stderr: /cannot be read/,
  })
  t.match(await runAdmin(organization, ['import', 'files', '1']), { code: 0, stdout: /^files waiting: 1$/m })
  await sql`update import_files set state = 'lost', due = null, why = 'no answer'`
  const retried = await runWith({ ...organization.env(), EXTERNAL_CONTENT: '0' }, [
    'import',
    'files',
    '1',
    '--retry',
    '--json',
  ])
  t.match(JSON.parse(retried.stdout), [
    { state: 'lost', why: 'the server reads nothing from other hosts (EXTERNAL_CONTENT)' },
  ])

  t.match(await runAdmin(organization, ['import', 'undo', '7', '--yes']), { code: 1, stderr: /There is no import 7/ })
  const server = await startServer(t, {}, organization)
  const owner = await server.person({ role: 100 })
  const channels = async () => (await owner.ok('GET', '/streams', { include_all: true })).streams.length
  t.equal(await channels(), 1)
  const undone = await runAdmin(organization, ['import', 'undo', '1', '--yes', '--json'])
  t.equal(undone.code, 0, undone.stderr)
  t.same(JSON.parse(undone.stdout), {
    messages: 2,
    accounts: 1,
    accounts_that_stay: 0,
    channels: 1,
    channels_that_stay: [],
  })
  t.equal(await channels(), 0, 'the server that runs has forgotten it')
  t.same(await sql`select event from audit_log where event like 'import%' order by id`, [
    { event: 'import' },
    { event: 'import_files' },
    { event: 'import_undo' },
  ])
})
