import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import t, { type Test } from 'tap'
import type { Archive } from '../../server/transfer/archive.js'
import { Faults } from '../../server/transfer/faults.js'
import { openArchive } from '../../server/transfer/open-archive.js'
import { zipOf } from '../support/zip.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

async function stored(bytes: Buffer): Promise<string> {
  const file = join(folder, 'archive.zip')
  await writeFile(file, bytes)
  return file
}

async function opened(t: Test, bytes: Buffer): Promise<{ archive: Archive; faults: Faults }> {
  const faults = new Faults()
  const archive = await openArchive(await stored(bytes), faults)
  t.teardown(() => archive.close())
  return { archive, faults }
}

async function contentOf({ archive, faults }: { archive: Archive; faults: Faults }, name: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of archive.read(name, faults)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

t.test('files are found by their names, whatever program packed them', async t => {
  const name = 'überblick/é.json'
  const names = [
    { name: name.normalize('NFD'), content: 'decomposed' },
    { name: Buffer.from('ascii/utf-8 ohne Zeichen ü.json'), content: 'without the flag', flags: 0 },
    { name: Buffer.from([0x81, 0x2f, 0x61]), content: 'code page 437', flags: 0 },
    { name: 'sizes behind.json', content: 'x'.repeat(1000), flags: 0x808 },
  ]
  const all = await opened(t, zipOf(names))
  t.equal(await contentOf(all, name), 'decomposed')
  t.equal(await contentOf(all, 'ascii/utf-8 ohne Zeichen ü.json'), 'without the flag')
  t.equal(await contentOf(all, 'ü/a'), 'code page 437')
  t.equal(await contentOf(all, 'sizes behind.json'), 'x'.repeat(1000))
  t.equal(await contentOf(all, 'missing'), '')
  t.same(all.faults.list(), [])
})

t.test('a folder around all, and the files of a Mac, are passed over', async t => {
  const { archive } = await opened(
    t,
    zipOf([
      { name: 'Export 2024/', content: '' },
      { name: 'Export 2024/inner/users.json', content: '[]' },
      { name: 'Export 2024/inner/general/2024-03-04.json', content: '[]' },
      { name: 'Export 2024/inner/.DS_Store', content: 'x' },
      { name: '__MACOSX/Export 2024/._users.json', content: 'x' },
    ]),
  )
  t.same(archive.names, ['users.json', 'general/2024-03-04.json'])
})

t.test('what cannot be read is refused before anything is done', async t => {
  const whole = zipOf([{ name: 'users.json', content: '[]' }])
  const refused = async (bytes: Buffer, message: RegExp) => {
    await t.rejects(openArchive(await stored(bytes), new Faults()), { message })
  }
  for (const size of [whole.length - 1, whole.length - 30, 40, 2]) {
    await refused(whole.subarray(0, size), /is cut off or damaged: its end is missing\. Download it again\.$/)
  }
  await refused(Buffer.from('<!doctype html>'), /is neither a ZIP or tar archive nor a known file of messages\.$/)
  await refused(Buffer.alloc(0), /is neither a ZIP or tar archive nor a known file of messages\.$/)
  await refused(zipOf([{ name: 'users.json', content: '[]', flags: 1 }]), /is encrypted/)
  const lost = Buffer.from(whole)
  lost.writeUInt32LE(0, whole.indexOf(Buffer.from('PK\u0001\u0002')))
  await refused(lost, /is damaged: /)
  await t.rejects(openArchive(join(folder, 'nowhere.zip'), new Faults()), {
    message: /nowhere\.zip cannot be read: /,
  })
})

t.test('damage of one file is its own fault', async t => {
  const all = await opened(
    t,
    zipOf([
      { name: 'bomb.json', content: Buffer.alloc(4 * 1024 * 1024, 0x20) },
      { name: 'damaged.json', content: 'abc', packed: Buffer.from('this is not deflated') },
      { name: 'longer.json', content: 'abc', packed: deflateRawSync(Buffer.from('abcdef')) },
      { name: '../../outside.json', content: 'nothing is written' },
      { name: 'twice.json', content: 'first' },
      { name: 'twice.json', content: 'second' },
    ]),
  )
  t.equal(await contentOf(all, 'bomb.json'), '')
  t.equal(await contentOf(all, 'damaged.json'), '')
  await contentOf(all, 'longer.json')
  t.equal(await contentOf(all, '../../outside.json'), 'nothing is written', 'a name is only a name')
  t.equal(await contentOf(all, 'twice.json'), 'second')
  t.match(all.faults.list(), [
    { kind: 'files that the archive has twice', count: 1, first: ['twice.json: the last one counts'] },
    {
      kind: 'files of the archive that are not read',
      count: 1,
      first: [/^bomb\.json: it is \d+ times as large as packed$/],
    },
    { kind: 'files of the archive that are damaged', count: 2, first: [/^damaged\.json: /, /^longer\.json: /] },
  ])
})

const file = (name: string, content: string) => ({
  header: { name, size: Buffer.byteLength(content) },
  body: content,
})

t.test('a tar archive is read as a ZIP, packed or not', async t => {
  const long = 'x'.repeat(600_000)
  const tar = Buffer.from(
    await packTar([
      { header: { name: './', type: 'directory', size: 0 } },
      file('./export/realm.json', '{}'),
      file(`./export/${'long '.repeat(50)}ü.txt`, long),
      file('./export/.DS_Store', 'x'),
      file('./export/../../outside.json', 'nothing is written'),
      { header: { name: './export/link', type: 'symlink', size: 0, linkname: '/etc/passwd' } },
      file('./export/twice.json', 'first'),
      file('./export/twice.json', 'second'),
    ]),
  )
  for (const bytes of [tar, gzipSync(tar)]) {
    const all = await opened(t, bytes)
    t.same(all.archive.names, ['realm.json', `${'long '.repeat(50)}ü.txt`, '../../outside.json', 'twice.json'])
    t.equal(await contentOf(all, 'realm.json'), '{}')
    t.equal(await contentOf(all, `${'long '.repeat(50)}ü.txt`), long)
    t.equal(await contentOf(all, 'twice.json'), 'second')
    t.equal(await contentOf(all, 'link'), '')
    t.equal(all.archive.sizeOf('twice.json'), 6)
    t.match(all.faults.list(), [{ kind: 'files that the archive has twice', count: 1 }])
  }
  t.same(await readdir(folder), ['archive.zip'], 'the copy has no name')
})

t.test('a tar archive that is cut off, damaged, packed too well or nowhere to be unpacked is refused', async t => {
  const tar = Buffer.from(
    await packTar([file('export/realm.json', JSON.stringify({ noise: randomBytes(2000).toString('hex') }))]),
  )
  const packed = gzipSync(tar)
  const bomb = gzipSync(Buffer.from(await packTar([file('export/realm.json', ' '.repeat(4_000_000))])))
  const refused = async (bytes: Buffer, message: RegExp) => {
    await t.rejects(openArchive(await stored(bytes), new Faults()), { message })
  }
  for (const size of [packed.length - 1, packed.length - 200, 20]) {
    await refused(packed.subarray(0, size), /is cut off or damaged: .* Download it again\.$/)
  }
  await refused(tar.subarray(0, 1200), /is cut off or damaged/)
  await refused(
    Buffer.concat([packed.subarray(0, 30), Buffer.alloc(50, 7), packed.subarray(80)]),
    /is cut off or damaged/,
  )
  await refused(bomb, /is more than 200 times as large as packed\.$/)
  t.same(await readdir(folder), ['archive.zip'])
  const source = await stored(packed)
  await mkdir(`${source}.${process.pid}.unpacked`)
  await t.rejects(openArchive(source, new Faults()), { message: /cannot be unpacked beside itself: .*EEXIST/ })
  await rm(`${source}.${process.pid}.unpacked`, { recursive: true })
})

t.test('a file without an archive around it has the name by which its source knows it', async t => {
  for (const [content, name] of [
    ['\ufeff{"type":"version","version":1}', 'import.jsonl'],
    ['{ "type" : "version","version":1}', 'import.jsonl'],
    ['{\n  "guild": {}, "messages": []}', 'channel [0].json'],
  ] as const) {
    const all = await opened(t, Buffer.from(content))
    t.same(all.archive.names, [name])
    t.equal(await contentOf(all, name), content)
    t.equal(await contentOf(all, 'other.json'), '')
  }
  for (const content of ['[]', '{"messages":[]}', 'type']) {
    await t.rejects(openArchive(await stored(Buffer.from(content)), new Faults()), {
      message: /is neither a ZIP or tar/,
    })
  }
})

t.test('faults are collected in bounded memory', async t => {
  const faults = new Faults()
  for (let i = 0; i < 1000; i++) faults.add('wrong times', `#${i}`, 'no number')
  for (let i = 0; i < 1000; i++) faults.add(`kind ${i}`, 'place', 'what')
  const [first] = faults.list()
  t.equal(first?.count, 1000)
  t.equal(first?.first.length, 20)
  t.equal(faults.list().length, 201)
  t.equal(
    faults.list().reduce((sum, one) => sum + one.count, 0),
    2000,
    'none is lost from the numbers',
  )
})
