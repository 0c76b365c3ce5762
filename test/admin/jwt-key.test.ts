import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importPKCS8, SignJWT } from 'jose'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { startServer } from '../support/server.js'
import type { Outcome } from './run-admin.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-keys-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** These commands need neither a server nor a database. */
function run(setting: string | undefined, ...args: string[]): Promise<Outcome> {
  const program = join(projectRoot, process.env.TEST_DIST ?? 'dist', 'server/admin/main.js')
  const env = { PATH: process.env.PATH, ...(setting && { JWT_SECRETS: setting }) }
  return new Promise(resolve => {
    execFile(process.execPath, [program, 'jwt-key', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

t.test('a key that was made signs people in; rotated away, it no longer does', async t => {
  const file = join(folder, 'signing.pem')
  const added = await run('an older secret', 'add', '--alg', 'ES256', '--kid', 'new', '--private-key', file, '--json')
  t.equal(added.code, 0, added.stderr)
  const { JWT_SECRETS: setting, ...told } = JSON.parse(added.stdout)
  t.same(told, { kid: 'new', alg: 'ES256', signing_key_file: file })
  t.equal((await stat(file)).mode & 0o777, 0o600)
  t.notMatch(setting, /"d":/, 'no private key in the setting')

  const server = await startServer(t, { JWT_SECRETS: setting })
  const { email, api_key } = await server.person()
  const pem = await readFile(file, 'utf8')
  const signed = async (kid: string) =>
    new SignJWT({ email }).setProtectedHeader({ alg: 'ES256', kid }).sign(await importPKCS8(pem, 'ES256'))
  const older = new SignJWT({ email }).setProtectedHeader({ alg: 'HS256' })
  const params = { token: await signed('new') }
  t.equal((await server.api(null).ok('POST', '/jwt/fetch_api_key', params)).api_key, api_key)
  const token = await older.sign(new TextEncoder().encode('an older secret'))
  t.equal(
    (await server.api(null).ok('POST', '/jwt/fetch_api_key', { token })).api_key,
    api_key,
    'the older one works still',
  )

  const listed = await run(setting, 'list', '--json')
  t.match(JSON.parse(listed.stdout), [
    { alg: 'HS256', kind: /secret/ },
    { kid: 'new', alg: 'ES256', kind: /public/ },
  ])
  t.notMatch(listed.stdout, /an older|YW4gb2xkZXI/, 'never a secret')
  const rotated = JSON.parse((await run(setting, 'rotate', 'new', '--kid', 'newer', '--alg', 'HS256', '--json')).stdout)
  const kids = (text: string) => JSON.parse(text).keys.map((key: { kid: string }) => key.kid)
  t.same(kids(rotated.JWT_SECRETS).slice(1), ['new', 'newer'], 'first both')
  t.same(kids(rotated.JWT_SECRETS_later).slice(1), ['newer'])
  const later = await startServer(t, { JWT_SECRETS: rotated.JWT_SECRETS_later }, server.organization)
  t.equal((await later.api(null).post('/jwt/fetch_api_key', params)).status, 400)
  t.match((await run(rotated.JWT_SECRETS_later, 'remove', 'newer')).stdout, /^JWT_SECRETS=\{"keys":\[\{"kty":"oct"/)
})

t.test('what cannot be is told in one sentence, without the secret', async t => {
  const refused: [code: number, setting: string | undefined, ...args: string[]][] = [
    [2, undefined, 'add', '--alg', 'none'],
    [2, undefined, 'remove'],
    [1, 'hush-hush', 'remove', 'absent'],
    [1, 'hush-hush', 'rotate', 'absent'],
    [1, '{"keys":[{"kty":"hush-hush"}]}', 'list'],
    [1, undefined, 'add', '--private-key', join(folder, 'signing.pem')],
  ]
  for (const [wanted, setting, ...args] of refused) {
    const { code, stdout, stderr } = await run(setting, ...args)
    t.equal(code, wanted, args.join(' '))
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
    t.notMatch(stderr, /hush/)
  }
})
