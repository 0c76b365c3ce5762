import { isBefore } from '../../server/config/version.js'
import type { Migration } from '../../server/store/schema/migration-files.js'
import type { Release } from '../support/releases.js'

/** Sentences about migrations that differ from those of a release, or that later ones cannot rely on. */
export function brokenMigrations(files: readonly Migration[], releases: readonly Release[]): string[] {
  const frozen = releases.flatMap(({ version, migrations }) =>
    Object.entries(migrations).map(([name, checksum]) => ({ version, name, checksum })),
  )
  const changed = frozen.flatMap(({ version, name, checksum }) => {
    const file = files.find(file => file.name === name)
    if (!file) return [`${name} of release ${version} is missing`]
    return file.checksum === checksum ? [] : [`${name} differs from that of release ${version}`]
  })
  const newest = frozen.at(-1)?.name ?? ''
  const added = files.filter(({ name }) => !frozen.some(one => one.name === name))
  return [
    ...changed,
    ...added.filter(({ name }) => name < newest).map(({ name }) => `${name} comes before ${newest}, which is released`),
    ...added
      .filter(({ worksWith }) => worksWith !== null && !releases.some(({ version }) => version === worksWith))
      .map(({ name, worksWith }) => `${name} works with ${worksWith}, which is no release`),
    ...files
      .filter(({ text }) => /^\s*(?:begin|start transaction|commit|rollback)\b/im.test(withoutBodies(text)))
      .map(({ name }) => `${name} begins or ends a transaction`),
  ]
}

/** Without the bodies of functions, which contain `begin`, and comments. */
const withoutBodies = (text: string): string => text.replace(/\$\$[\s\S]*?\$\$/g, '').replace(/--.*$/gm, '')

/** Sentences about what the changelog says of the next release and its migrations do not allow, or the other way round. */
export function brokenNotes(files: readonly Migration[], releases: readonly Release[], changelog: string): string[] {
  const { version } = releases.at(-1) as Release
  const added = files.filter(({ name }) => !releases.some(({ migrations }) => name in migrations))
  const needsStop = added.some(({ worksWith }) => worksWith !== version)
  const [, part = ''] = /^## Unreleased\n([\s\S]*?)^## /m.exec(changelog) ?? []
  return [`Runs beside ${version}.`, `Going back to ${version}: yes`]
    .filter(sentence => part.includes(sentence) === needsStop)
    .map(
      sentence =>
        `the migrations ${needsStop ? 'do not allow' : 'allow'} what the changelog ${needsStop ? 'says' : 'does not say'}: ${sentence}`,
    )
}

/** Sentences about releases that the changelog, the version of the package or the commits do not agree with. */
export function brokenReleases(releases: readonly Release[], changelog: string, version: string): string[] {
  const parts = changelog.split(/^## /m).slice(1)
  const headings = parts.map(part => part.split('\n', 1)[0])
  const wanted = ['Unreleased', ...releases.map(one => one.version).reverse()]
  const last = releases.at(-1)
  const isRelease = last?.version === version
  return [
    ...(headings.join() === wanted.join() ? [] : [`the changelog has the parts ${headings}, not ${wanted}`]),
    ...parts.filter(part => !/Going back/.test(part)).map(part => `${part.split('\n', 1)} says nothing of going back`),
    ...releases
      .filter(one => one.commit === null && !(isRelease && one === last))
      .map(one => `${one.version} has no commit`),
    ...(isRelease || (version.endsWith('-dev') && isBefore(last?.version ?? '', version))
      ? []
      : [`${version} is neither the last release nor the next one with -dev`]),
  ]
}
