// Each block of commands or settings in docs/deployment.md is run or compared by a test; a new one fails here until it is named.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'

const tests = 'test/platform/deployment'

/** By heading: the test files, one for each block in the order of the document. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  'With containers': [`${tests}/containers.test.ts`],
  'With systemd': Array(7).fill(`${tests}/systemd.test.ts`),
  // The AWS program is compared only: the directory is that of the unit.
  'Files in an S3-compatible store': ['test/deployment/commands.test.ts'],
  'Backup and restore': Array(2).fill(`${tests}/backup.test.ts`),
  'The commands': [`${tests}/systemd.test.ts`, `${tests}/systemd.test.ts`, `${tests}/containers.test.ts`],
}

/** The blocks, fenced or indented, below the heading that is nearest above them. */
function blocksByHeading(text: string): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  let heading = ''
  for (const [whole, title] of text.matchAll(/^#{2,3} (.*)$|^```\w*\n[\s\S]*?^```$|(?:^ {4}\S.*\n)+/gm)) {
    if (title !== undefined) heading = title
    else found[heading] = [...(found[heading] ?? []), whole]
  }
  return found
}

const document = readFileSync(join(projectRoot, 'docs/deployment.md'), 'utf8')
const blocks = blocksByHeading(document)

t.test('a test is named for each block', async t => {
  const counts = (of: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(of).map(([heading, { length }]) => [heading, length]))
  t.same(counts(blocks), counts(shownBy))
  for (const file of new Set(Object.values(shownBy).flat())) t.ok(existsSync(join(projectRoot, file)), file)
})

t.test('the directory that is copied into a bucket is that of the unit', async t => {
  const unit = readFileSync(join(projectRoot, 'docs/deployment/parley.service'), 'utf8')
  const [, dataDir = ''] = /^Environment=DATA_DIR=(.*)$/m.exec(unit) ?? []
  const [copy = ''] = blocks['Files in an S3-compatible store'] ?? []
  t.match(copy, ` ${dataDir}/files s3://`)
})
