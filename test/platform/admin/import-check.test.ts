import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { testOrganization } from '../../support/server.js'
import { zipOf } from '../../support/zip.js'
import { runAdmin } from './run-admin.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-check-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

t.test('import check prints what is in an archive, and refuses what is none', async t => {
  const organization = await testOrganization(t)
  const archive = join(folder, 'slack.zip')
  const messages = [
    { user: 'U1', ts: '1709542800.000100', text: 'Hello' },
    { user: 'U1', ts: '1709542801.000100', subtype: 'channel_join' },
    17,
  ]
  const whole = zipOf([
    { name: 'users.json', content: JSON.stringify([{ id: 'U1', real_name: 'Alice\u001b[2J' }]) },
    { name: 'channels.json', content: '[{"id":"C1","name":"general"}]' },
    { name: 'general/2024-03-04.json', content: JSON.stringify(messages) },
  ])
  await writeFile(archive, whole)
  const shown = await runAdmin(organization, ['import', 'check', archive])
  t.equal(shown.code, 0, shown.stderr)
  t.match(shown.stdout, /^archive of Slack, messages from 2024-03-04 to 2024-03-04$/m)
  t.match(shown.stdout, /^ {2}without an address: Alice\?\[2J$/m, 'a name moves no cursor')
  t.match(shown.stdout, /^ {2}general\/2024-03-04\.json #3: it is no object$/m)
  t.match(shown.stdout, /^messages: source 3 = kept 1 \+ dropped 1 \(join 1\) \+ faulty 1$/m)
  const json = await runAdmin(organization, ['import', 'check', archive, '--json'])
  t.match(JSON.parse(json.stdout), { source: 'Slack', messages: { source: 3, kept: 1, faulty: 1 } })

  await writeFile(archive, whole.subarray(0, whole.length - 10))
  const refused = await runAdmin(organization, ['import', 'check', archive, '--json'])
  t.equal(refused.code, 1)
  t.match(JSON.parse(refused.stderr), { code: 'UNUSABLE_ARCHIVE', message: /Download it again\.$/ })
  t.equal((await runAdmin(organization, ['import', 'check'])).code, 2, 'a file has to be named')
})
