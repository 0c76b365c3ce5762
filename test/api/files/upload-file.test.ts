import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { readFile, removeUnnamedBytes, sendFiles, upload } from '../../support/files.js'
import { basic } from '../../support/http.js'
import { Listener } from '../../support/in-step.js'
import { changeDirectory, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'
import { checkObject } from '../../support/wire-schemas.js'

const server = await startServer(t, { MAX_FILE_UPLOAD_MIB: '2', UPLOAD_QUOTA_USER_MIB: '4' })
const mib = 1024 * 1024
const refused = (msg: RegExp | string, code = 'BAD_REQUEST') => ({ status: 400, body: { result: 'error', code, msg } })

/** Files in the store, without unfinished ones. */
async function stored(): Promise<string[]> {
  const all = await readdir(join(server.config.dataDir, 'files'), { recursive: true, withFileTypes: true })
  return all.filter(one => one.isFile()).map(one => one.name)
}

/** Removes the bytes of all files that are gone, when the server has noticed the ends of all uploads. */
async function cleaned(): Promise<void> {
  for (;;) {
    await removeUnnamedBytes(server.ctx)
    if ((await server.sql`select from loose_files`).length === 0) return
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

t.test('a file is stored as it came, announced to its uploader and listed', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const ears = [await Listener.start(server.ctx, owner), await Listener.start(server.ctx, other)] as const
  const bytes = randomBytes(mib + 12_345)
  const { status, body } = await sendFiles(server.url, owner, '/user_uploads', {
    files: [{ name: 'Zürich plan (2).tar.gz', bytes: bytes as Uint8Array<ArrayBuffer>, type: 'application/x-thing' }],
    fields: { note: 'ignored' },
  })
  t.equal(status, 200)
  t.match(body.url, /^\/user_uploads\/1\/[0-9a-f]{2}\/[\w-]{24}\/Zürich-plan-2.tar.gz$/)
  t.match(body, { uri: body.url, filename: 'Zürich plan (2).tar.gz' })

  const answer = await readFile(server.url, owner, body.url)
  t.equal(answer.status, 200)
  t.ok(bytes.equals(Buffer.from(await answer.arrayBuffer())))
  t.equal(answer.headers.get('content-type'), 'application/x-thing')
  t.match(
    answer.headers.get('content-disposition'),
    /^attachment; filename="Z_rich plan \(2\).tar.gz"; filename\*=utf-8''Z%C3%BCrich%20plan/,
  )

  const { attachments, upload_space_used } = await owner.ok('GET', '/attachments')
  t.equal(attachments.length, 1)
  t.same(checkObject('attachment', attachments[0]), [])
  t.match(attachments[0], {
    name: 'Zürich plan (2).tar.gz',
    size: bytes.length,
    message_ids: [],
    path_id: body.url.slice(14),
  })
  t.ok(upload_space_used >= bytes.length)
  t.match(await ears[0].inStep(t), [{ type: 'attachment', op: 'add', attachment: attachments[0], upload_space_used }])
  t.same(await ears[1].inStep(t), [])
  t.same((await other.ok('GET', '/attachments')).attachments, [])
})

t.test('names and types: nothing of a path, nothing invisible, a type by the extension', async t => {
  const owner = await server.person()
  const named = async (name: string, type?: string) => {
    const { body } = await sendFiles(server.url, owner, '/user_uploads', { files: [{ name, bytes: 'x', type }] })
    return [
      body.filename,
      body.url.split('/').at(-1),
      (await readFile(server.url, owner, body.url)).headers.get('content-type'),
    ]
  }
  t.same(await named('../../etc/passwd'), ['passwd', 'passwd', 'application/octet-stream'])
  t.same(await named('C:\\temp\\a.png'), ['a.png', 'a.png', 'image/png'])
  t.same(await named('..'), ['uploaded-file', 'uploaded-file', 'application/octet-stream'])
  t.same(await named('exe\u202egnp.js', 'text/html'), ['exegnp.js', 'exegnp.js', 'text/html'])
  for (const name of ['\u200b\u2060', '\u3164', '%E2%80%8B', '\u200b..\u200d', '\u2028']) {
    t.same(await named(name, 'text/x'), ['uploaded-file', 'uploaded-file', 'text/x'])
  }
  t.same(await named('a%07b – c.txt'), ['ab – c.txt', 'ab-c.txt', 'text/plain'])
  t.same(await named('%E6%BC%A2.pdf', 'no type\u00e9'), ['漢.pdf', '漢.pdf', 'application/pdf'])
  const [, long] = await named(`${'漢'.repeat(300)}.png`)
  t.ok(Buffer.byteLength(long) <= 200 && long.endsWith('.png'))
})

t.test('an empty file is a file', async t => {
  const owner = await server.person()
  const answer = await readFile(server.url, owner, await upload(server.url, owner, { name: 'empty.txt', bytes: '' }))
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-length'), '0')
})

t.test('no file, two files, one that is too large, no form, no account', async t => {
  const owner = await server.person()
  const before = await stored()
  const send = (...files: { name: string; bytes: string | Uint8Array<ArrayBuffer> }[]) =>
    sendFiles(server.url, owner, '/user_uploads', { files })
  t.match(await send(), refused('You must specify a file to upload'))
  t.match(
    await send({ name: 'a', bytes: 'a' }, { name: 'b', bytes: 'b' }),
    refused('You may only upload one file at a time'),
  )
  t.match(
    await send({ name: 'a', bytes: new Uint8Array(2 * mib + 1) }),
    refused(/larger than the allowed limit of 2 MiB/),
  )
  t.match(await send({ name: 'a', bytes: new Uint8Array(9 * mib) }), refused(/larger than the allowed limit of 2 MiB/))
  t.match(await owner.post('/user_uploads', { file: 'x' }), refused('You must specify a file to upload'))
  t.match(await owner.post('/user_uploads'), refused('You must specify a file to upload'))
  const nobody = await sendFiles(server.url, null, '/user_uploads', {
    files: [{ name: 'a', bytes: new Uint8Array(mib) }],
  })
  t.match(nobody, { status: 401, body: { code: 'UNAUTHORIZED' } })
  const stranger = { ...owner, api_key: 'x'.repeat(32), email: owner.email }
  t.match(await sendFiles(server.url, stranger, '/user_uploads', { files: [{ name: 'a', bytes: 'a' }] }), {
    status: 401,
  })
  t.same((await owner.ok('GET', '/attachments')).attachments, [])
  await cleaned()
  t.same((await stored()).sort(), before.sort(), 'nothing is left behind')
})

t.test('an upload that is broken off at any place leaves nothing', async t => {
  const owner = await server.person()
  const before = await stored()
  const form =
    '--b\r\nContent-Disposition: form-data; name="f"; filename="cut.txt"\r\nContent-Type: text/x\r\n\r\n' +
    `${'x'.repeat(300_000)}\r\n--b--\r\n`
  const head =
    `POST /api/v1/user_uploads HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(owner)}\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n`
  const { port } = new URL(server.url)
  const logged: unknown[] = []
  const { error } = server.ctx.log
  server.ctx.log.error = (...entry: unknown[]) => void logged.push(entry)
  for (const length of [0, 1, 50, 100, 1000, 200_000, form.length - 9, form.length - 1]) {
    const socket = connect(Number(port), '127.0.0.1')
    await new Promise<void>(resolve => socket.write(head + form.slice(0, length), () => resolve()))
    socket.end()
    await once(socket.resume(), 'close')
  }
  t.same((await owner.ok('GET', '/attachments')).attachments, [])
  // The end of a connection is noticed later than this side closes it.
  await cleaned()
  t.same((await stored()).sort(), before.sort())
  t.same(logged, [], 'a client that leaves is no failure')
  server.ctx.log.error = error
  await upload(server.url, owner, { name: 'whole', bytes: 'x' })
})

t.test('the quotas of an account and of the organization', async t => {
  const owner = await server.person()
  const file = { name: 'a', bytes: new Uint8Array(1.5 * mib) }
  for (let i = 0; i < 2; i++) await upload(server.url, owner, file)
  const third = await sendFiles(server.url, owner, '/user_uploads', { files: [file] })
  t.match(third, refused(/space for files of your account/, 'REALM_UPLOAD_QUOTA'))
  const { attachments } = await owner.ok('GET', '/attachments')
  t.equal((await owner.delete(`/attachments/${attachments[0].id}`)).status, 200)
  await upload(server.url, owner, file)

  const { upload_space_used } = await owner.ok('GET', '/attachments')
  const quota = Math.ceil(upload_space_used / mib)
  await setOrganization(server.sql, { upload_quota_mib: quota })
  await server.ctx.directory.fresh()
  const other = await server.person()
  t.match(
    await sendFiles(server.url, other, '/user_uploads', { files: [file] }),
    refused(/organization’s upload quota/, 'REALM_UPLOAD_QUOTA'),
  )
  await changeDirectory(server.sql, tx => tx`update organization set settings = settings - 'upload_quota_mib'`)
  await server.ctx.directory.fresh()
  await upload(server.url, other, file)
})

t.test('a removed file is gone at once, its bytes soon; only its uploader may remove it', async t => {
  const [owner, other] = [await server.person(), await server.person()]
  const path = await upload(server.url, owner, { name: 'secret.txt', bytes: 'secret' })
  const [{ id }] = (await owner.ok('GET', '/attachments')).attachments
  const ears = await Listener.start(server.ctx, owner)
  for (const answer of [
    await other.delete(`/attachments/${id}`),
    await owner.delete('/attachments/999999'),
    await owner.delete('/attachments/99999999999999'),
  ]) {
    t.match(answer, refused('Invalid attachment'))
  }
  t.equal((await readFile(server.url, owner, path)).status, 200)
  t.ok((await stored()).includes('secret.txt'))
  await owner.ok('DELETE', `/attachments/${id}`)
  t.match(await ears.inStep(t), [{ type: 'attachment', op: 'remove', attachment: { id } }])
  t.equal((await readFile(server.url, owner, path)).status, 404)
  await cleaned()
  t.notOk((await stored()).includes('secret.txt'))
  t.match(await owner.delete(`/attachments/${id}`), refused('Invalid attachment'))
})
