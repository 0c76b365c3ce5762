import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pieces } from '../../server/api/events/pieces.js'
import { projectRoot } from '../../server/config/paths.js'
import { capabilityNames } from '../../shared/capabilities.js'
import { errorCodes } from '../../shared/errors.js'
import { eventDefs } from '../../shared/events/index.js'
import { anchorsOf, brokenReferences, missingPaths } from './references.js'
import { filesIn, sourcesIn } from './sources.js'

const endings = ['.ts', '.tsx', '.mjs', '.js', '.lua', '.sql', '.json', '.css', '.html', '.conf', '.service', '.md']
const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

t.test('every reference to a document leads to a page and a heading of the repository', async t => {
  const sources = sourcesIn(['shared', 'server', 'bench', 'test', 'docs'], endings)
  const readme = { path: 'README.md', text: read('README.md') }
  const pages = [readme, ...sources.filter(({ path }) => path.endsWith('.md'))]
  t.ok(pages.length > 20, 'the pages were found')
  t.same(brokenReferences([readme, ...sources], pages), [])
  const files = filesIn(['shared', 'server', 'bench', 'test'])
  t.same(missingPaths(pages, files), [])
})

t.test('the pages of the protocol leave nothing out', async t => {
  const events = anchorsOf(read('docs/protocol/events.md'))
  const types = [...eventDefs.values()].map(({ type }) => type).filter(type => !type.startsWith('_'))
  t.same(
    [...new Set(types)].filter(type => !events.has(type)),
    [],
    'event types without a heading in events.md',
  )
  const missing = (page: string, names: readonly string[]): string[] => {
    const text = read(`docs/protocol/${page}`)
    return names.filter(name => !text.includes(`\`${name}\``))
  }
  t.same(missing('conventions.md', Object.keys(errorCodes)), [], 'error codes')
  t.same(missing('register.md', capabilityNames), [], 'capabilities')
  t.same(
    missing(
      'register.md',
      pieces.map(({ fetchType }) => fetchType),
    ),
    [],
    'fetch types',
  )
})

t.test('the law finds', async t => {
  // In pieces, so that this file does not break the law.
  const rooms = 'docs/rooms' + '.md'
  const nowhere = 'docs/nowhere' + '.md'
  const page = { path: rooms, text: '# Rooms\n\n## The `main` hall, today\n\n```\n# not a heading\n```\n' }
  const broken = (text: string, path = 'server/x.ts') => brokenReferences([{ path, text }], [page])

  t.test('a page that is not there, with its line', async t => {
    t.match(broken(`\n// See ${nowhere}.`), [/^server\/x\.ts:2 names docs\/nowhere\.md/])
    t.match(broken(`/** As in ${'api'}.md, E4. */`), [/names api\.md/])
    t.match(broken(`[the rooms](${rooms})`, rooms), [/names docs\/rooms\.md/], 'from the root')
    t.match(broken(`[the rooms](${'room'}.md)`, rooms), [/names room\.md/])
  })
  t.test('a heading that is not there', async t => {
    t.match(broken(`// (${rooms}#cellar)`), [/names the heading cellar, which docs\/rooms\.md does not have/])
    t.match(broken(`// ${rooms}#not-a-heading`), [/not-a-heading/])
    t.match(broken('[cellar](#cellar)', rooms), [/cellar/])
  })
  t.test('the names of what lies outside', async t => {
    t.match(broken(`// (${'endpoints'}.json E1)`), [/refers to "endpoints\.json"/])
    t.match(broken(`// the wire ${'facts'}`), [/refers to "wire/])
  })
  t.test('nothing in what is right, or no reference', async t => {
    t.same(broken(`// ${rooms}, ${rooms}#rooms, ${rooms}#the-main-hall-today.`), [])
    t.same(broken(`join('docs', '${'rooms'}.md')`), [])
    t.same(broken(`[${'hall'}.md](${'rooms'}.md#the-main-hall-today) [here](#rooms)`, rooms), [])
    t.same(broken(`parse(${'state'}.md, 'x')\n// https://x.example/a/b.md`), [])
  })
  t.test('a path of no file or folder', async t => {
    const missing = (text: string) =>
      missingPaths([{ path: rooms, text }], ['server/app.ts', 'server/api/a.ts', 'test/x/i1-a.ts'])
    t.match(missing('`server/hall.ts`'), [/docs\/rooms\.md:1 names server\/hall\.ts/])
    t.match(missing('`server/ap`'), [/server\/ap,/])
    t.match(missing('`test/x/i2-*`'), [/i2/])
    t.match(missing('`api/b.ts`'), [/api\/b\.ts/])
    t.match(missing('`pi/a.ts`'), [/pi\/a\.ts/])
    t.same(missing('`api/a.ts` `a.ts` `api/<area>.ts`'), [], 'the first folders may be missing')
    t.same(
      missing('`server/app.ts` `server/api/` `node server/app.ts` `test/x/i1-*` `server/<area>/b.ts` server/none'),
      [],
    )
  })
})
