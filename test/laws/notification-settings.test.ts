import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { serverFacts } from '../../server/api/settings/server-facts.js'
import { projectRoot } from '../../server/config/paths.js'
import { rows as words } from '../../server/web/language/en/settings-page/rows.js'
import { realmSettingDefaults } from '../../shared/resources/realm-settings.js'
import { personalFieldNames } from '../../shared/resources/subscription.js'
import { userSettingNames } from '../../shared/resources/user-settings.js'

const page = readFileSync(join(projectRoot, 'docs/protocol/notifications.md'), 'utf8')
const code = (cell = ''): string[] => [...cell.matchAll(/`([\w./-]+)`/g)].flatMap(([, text]) => text ?? [])

/** The settings of each row of the table, and its tests. */
const table = page
  .slice(page.indexOf('\n## Settings'))
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => line.split(' | '))
  .map(([settings, , tests]) => ({ names: code(settings), tests: code(tests) }))

t.test('each setting about notifications that register announces is in the table', async t => {
  const isAbout = (name: string) =>
    /notif|sound|_emails$|digest|icon_count|^automatically_|resolved_topic|is_muted/.test(name) &&
    !/typing|disposable/.test(name)
  const ofOrganization = Object.keys(realmSettingDefaults).map(name => `realm_${name}`)
  const announced = [...userSettingNames, ...personalFieldNames, ...ofOrganization, ...Object.keys(serverFacts)]
  const known = table.flatMap(({ names }) => names)
  t.same(
    announced.filter(name => isAbout(name) && !known.includes(name)),
    [],
  )
})

t.test('each test of the table names the setting, or clicks on its row in the page', async t => {
  for (const { names, tests } of table) {
    t.ok(tests.length > 0, names.join())
    for (const path of tests) t.ok(existsSync(join(projectRoot, path)), path)
    const texts = tests.map(path => readFileSync(join(projectRoot, path), 'utf8')).join()
    for (const name of names.map(name => name.replace(/^realm_(?!name_)/, ''))) {
      const label: string | undefined = words[name as keyof typeof words]
      t.ok(texts.includes(name) || (label !== undefined && texts.includes(`'${label}'`)), name)
    }
  }
})
