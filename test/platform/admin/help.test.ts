import t from 'tap'
import { table } from '../../../server/admin/output.js'
import { version } from '../../../server/config/version.js'
import { testOrganization } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

t.test('the help describes every command, with examples and exit codes', async t => {
  const organization = await testOrganization(t)
  const help = async (...args: string[]) => (await runAdmin(organization, [...args, '--help'])).stdout
  const top = await help()
  for (const noun of ['user', 'bot', 'key', 'channel', 'group', 'setting', 'job', 'queue', 'profile-field']) {
    t.match(top, new RegExp(`^ +${noun}\\|${noun}s `, 'm'))
  }
  for (const command of ['export', 'import', 'seed']) t.match(top, new RegExp(`^ +${command} `, 'm'))
  t.match(top, /Exit codes: 0 done, 1 /)
  t.same(await runAdmin(organization, ['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  t.match(await help('users', 'list'), /--json[\s\S]+Examples:\n +\$ npm run admin -- user list/)
  const wrong = await runAdmin(organization, ['usr', '--json'])
  t.equal(wrong.code, 2)
  t.match(JSON.parse(wrong.stderr), { code: 'USAGE', message: /unknown command 'usr'/ })
})

t.test('a table is as wide as the terminal at most, and moves no cursor', async t => {
  const rows = [
    { name: 'short', text: 'x'.repeat(100) },
    { name: 'evil\u001b[2Jname', text: 'y' },
  ]
  const columns = { name: (row: (typeof rows)[number]) => row.name, text: (row: (typeof rows)[number]) => row.text }
  const narrow = table(columns, rows, 40)
  t.same(
    narrow.filter(line => line.length > 40),
    [],
  )
  t.match(narrow[1], /^short +x+…$/)
  t.match(narrow[2], /^evil\?\[2Jname +y$/)
  t.equal(table(columns, rows, undefined)[1]?.length, 'evil?[2Jname'.length + 2 + 100, 'whole where nobody looks')
})
