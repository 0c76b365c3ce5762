import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { version } from '../../server/config/version.js'
import { checksumOf, type Migration, readMigrations } from '../../server/store/schema/migration-files.js'
import { releases } from '../support/releases.js'
import { brokenMigrations, brokenNotes, brokenReleases } from './releases.js'

const changelog = readFileSync(join(projectRoot, 'docs/CHANGELOG.md'), 'utf8')
const migrations = await readMigrations(join(projectRoot, 'server/store/migrations'))

t.test('the migrations of a release are unchanged, and later ones build on them', async t => {
  t.same(brokenMigrations(migrations, releases()), [])
})

t.test('releases, changelog, version and migrations agree', async t => {
  t.same(brokenReleases(releases(), changelog, version), [])
  t.same(brokenNotes(migrations, releases(), changelog), [])
})

t.test('the law finds', async t => {
  const file = (name: string, text = 'select 1', worksWith: string | null = null): Migration => ({
    name,
    text,
    checksum: checksumOf(text),
    worksWith,
  })
  const release = (version: string, name: string, commit: string | null = 'a'.repeat(40)) => ({
    version,
    commit,
    migrations: { [name]: checksumOf('select 1') },
  })
  const two = [release('0.1.0', '0001-a.sql'), release('0.2.0', '0003-c.sql')]
  const both = [file('0001-a.sql'), file('0003-c.sql')]

  t.test('migrations that are missing, changed, late or transactions', async t => {
    const broken = (...more: Migration[]) => brokenMigrations([...both, ...more], two)
    t.same(broken(file('0004-d.sql', 'select 1', '0.2.0'), file('0005-e.sql')), [])
    t.same(brokenMigrations([file('0001-a.sql', 'select 2')], two), [
      '0001-a.sql differs from that of release 0.1.0',
      '0003-c.sql of release 0.2.0 is missing',
    ])
    t.same(broken(file('0002-b.sql')), ['0002-b.sql comes before 0003-c.sql, which is released'])
    t.same(broken(file('0004-d.sql', 'select 1', '0.3.0')), ['0004-d.sql works with 0.3.0, which is no release'])
    for (const text of ['begin; select 1', 'select 1;\ncommit;', 'START TRANSACTION;', 'select 1;\n  rollback;'])
      t.same(broken(file('0004-d.sql', text)), ['0004-d.sql begins or ends a transaction'], text)
    t.same(
      broken(file('0004-d.sql', '-- begin;\ncreate function f() returns int as $$\nbegin\n  return 1;\nend\n$$')),
      [],
    )
  })

  t.test('a changelog without a release, or without a word on going back', async t => {
    const part = (name: string, text = 'Going back: yes.') => `## ${name}\n\n${text}\n`
    const whole = ['Unreleased', '0.2.0', '0.1.0'].map(name => part(name)).join('')
    t.same(brokenReleases(two, whole, '0.3.0-dev'), [])
    t.same(brokenReleases(two, whole, '0.2.0'), [])
    t.match(brokenReleases(two, whole.replace('0.2.0', '0.2'), '0.2.0'), [/has the parts Unreleased,0\.2,0\.1\.0, not/])
    t.match(brokenReleases(two, whole.replace('Going back', 'Coming back'), '0.2.0'), [/Unreleased says nothing/])
  })

  t.test('a changelog that allows what the new migrations do not, or the other way round', async t => {
    const notes = '## Unreleased\n\nRuns beside 0.2.0. Going back to 0.2.0: yes, without a restore.\n\n## 0.2.0\n'
    const stop = '## Unreleased\n\nNeeds a stop. Going back to 0.2.0: no.\n\n## 0.2.0\n'
    const added = (worksWith: string | null) => [...both, file('0004-d.sql', 'select 1', worksWith)]
    t.same(brokenNotes(both, two, notes), [])
    t.same(brokenNotes(added('0.2.0'), two, notes), [])
    t.same(brokenNotes(added(null), two, stop), [])
    t.match(brokenNotes(added(null), two, notes), [
      /do not allow .*: Runs beside 0\.2\.0\./,
      /do not allow .*: Going back/,
    ])
    t.match(brokenNotes(added('0.2.0'), two, stop), [
      /allow what the changelog does not say: Runs/,
      /Going back to 0\.2\.0: yes/,
    ])
  })

  t.test('a version that is none, and a release without a commit', async t => {
    const text = '## Unreleased\nGoing back: yes.\n## 0.1.0\nGoing back: no.\n'
    const open = [release('0.1.0', '0001-a.sql', null)]
    t.same(brokenReleases(open, text, '0.1.0'), [], 'the commit that is the release')
    t.same(brokenReleases(open, text, '0.2.0-dev'), ['0.1.0 has no commit'])
    for (const version of ['0.0.9-dev', '0.1.0-dev', '0.2.0'])
      t.match(brokenReleases([release('0.1.0', '0001-a.sql')], text, version), [/is neither/], version)
  })
})
