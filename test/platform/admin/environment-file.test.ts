import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { useEnvironmentFile } from '../../../server/admin/environment-file.js'
import { testOrganization } from '../../support/server.js'
import { dataDirectory } from '../places.js'
import { runWith } from './run-admin.js'

const organization = await testOrganization(t)
const create = 'user create --email owner@x.example --full-name Olga --role owner'.split(' ')
// Another database: settings of the environment that a file replaces.
const environment = { DATABASE_URL: 'postgres://reader@127.0.0.1:1/none', REDIS_URL: 'redis://127.0.0.1:1' }

function fileWith(t: Test, text: string): { file: string; home: string } {
  const home = dataDirectory(t)
  const file = join(home, 'parley.env')
  writeFileSync(file, text)
  return { file, home }
}

t.test('a command takes the settings of the file, with spaces and angle brackets', async t => {
  const home = dataDirectory(t)
  const settings = organization.env({
    DATA_DIR: home,
    MAIL_FROM: 'Parley <chat@chat.example>',
    PUBLIC_URL: 'https://chat.example',
    WIRE_BRAND: '',
  })
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const { file } = fileWith(
    t,
    ['# A comment with # and "signs".', '', ...lines, 'METRICS_TOKEN=\'# $a `b` "c" 1234567\''].join('\n'),
  )
  const done = await runWith(environment, ['--environment-file', file, ...create])
  t.match(done, { code: 0, stderr: '' })
  t.match(
    await runWith(environment, [
      'user',
      'password',
      'owner@x.example',
      '--mail',
      '--yes',
      `--environment-file=${file}`,
    ]),
    {
      code: 0,
    },
  )
  const mails =
    await organization.sql`select payload->'content'->>'kind' as kind from jobs where kind = 'mail' and payload->'content'->>'kind' <> 'welcome'`
  t.same([...mails], [{ kind: 'new_password' }], 'the command used the database of the file')
  const own = { ...process.env }
  t.teardown(() => {
    process.env = own
  })
  useEnvironmentFile(file)
  t.equal(process.env.MAIL_FROM, 'Parley <chat@chat.example>')
  t.equal(process.env.PUBLIC_URL, 'https://chat.example')
  // The way that does not work, and for which the option is.
  await t.rejects(promisify(execFile)('sh', ['-c', `. ${file}`]), /syntax error|newline unexpected|cannot open/)
})

t.test('a value that systemd would read otherwise is refused with its line', async t => {
  for (const value of ['a#b', 'a\\b', 'a"b"', "it's", '"a\\nb"', '$HOME', "'a' # b"]) {
    const { file } = fileWith(t, `DEMO=0\nMAIL_FROM=${value}\n`)
    const { code, stderr } = await runWith(environment, ['--environment-file', file, 'user', 'list'])
    t.same(
      { code, stderr },
      { code: 1, stderr: `${file}, line 2: write the value of MAIL_FROM in single quotes.\n` },
      value,
    )
  }
})

t.test('a file that is not there, or not named, is refused', async t => {
  const gone = await runWith(environment, ['--environment-file', '/nowhere/parley.env', 'user', 'list', '--json'])
  t.equal(gone.code, 1)
  t.match(JSON.parse(gone.stderr), {
    code: 'SETTINGS',
    message: /^--environment-file \/nowhere\/parley\.env cannot be read: ENOENT/,
  })
  t.match(await runWith(environment, ['user', 'list', '--environment-file']), { code: 2, stderr: /argument missing/ })
})
