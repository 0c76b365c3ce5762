// Log lines about failed statements: enough to find them, without their values.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { services } from '../support/services.js'

const { databaseUrl } = await services(t)
const secret = 'do-not-log-this'

/** The standard error of a program with these lines, which has `log` and the pool `sql`. */
function logged(program: string): string[] {
  const load = (path: string) => JSON.stringify(new URL(`../../server/${path}`, import.meta.url))
  const source = `
    import { createLog } from ${load('log.js')}
    import { openDatabase } from ${load('store/driver/open-database.js')}
    const log = createLog('info', 'test')
    const sql = openDatabase(process.env.URL, 'public', 1)
    ${program}
    await sql.end()`
  const args = ['--input-type=module', '-e', source]
  const { stderr, status } = spawnSync(process.execPath, args, { env: { ...process.env, URL: databaseUrl } })
  if (status !== 0) throw new Error(stderr.toString())
  return stderr.toString().trim().split('\n')
}

t.test('a statement that fails leaves a short line without its values', async t => {
  const lines = logged(`
    const text = '${secret}'.repeat(200_000)
    const failed = await sql.unsafe('select $1::text::int', [text]).catch(error => error)
    log.error({ err: failed, operation: 'get_messages' }, 'an operation failed')
    log.error({ error: failed }, 'an operation failed')
    log.error(failed, 'an operation failed')
    log.error(failed)`)
  t.equal(lines.length, 4)
  for (const line of lines) {
    t.ok(line.length < 4096, `${line.length} characters`)
    t.notMatch(line, secret)
    const { err, error = err } = JSON.parse(line)
    t.match(error, {
      type: 'PostgresError',
      code: '22P02',
      message: /invalid input syntax for type integer/,
      stack: / at /,
    })
  }
})

t.test('a value that the database holds already does not appear in the log', async t => {
  const [line = ''] = logged(`
    await sql.begin(async tx => {
      await tx\`create temporary table taken (name text primary key)\`
      await tx\`insert into taken values (\${'${secret}'})\`
      await tx\`insert into taken values (\${'${secret}'})\`
    }).catch(error => log.error({ err: error }, 'an operation failed'))`)
  t.notMatch(line, secret)
  t.match(JSON.parse(line), { err: { code: '23505', constraint_name: 'taken_pkey' }, msg: 'an operation failed' })
})

t.test('long words and long lists are cut, wherever they stand', async t => {
  const [line = ''] = logged(`
    const long = 'x'.repeat(1_000_000)
    const cause = new Error(long)
    log.warn({ long, deep: { list: [long] }, many: Array(100_000).fill(7), err: new Error(long, { cause }) }, long)`)
  t.ok(line.length < 8192, `${line.length} characters`)
  t.match(JSON.parse(line), {
    long: /^x{300}… \(1000000 characters\)$/,
    msg: /^x{300}…/,
    err: { cause: { message: /^x/ } },
  })
})
