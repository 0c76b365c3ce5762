import { shownSettings } from '../../config.js'
import { printable, say } from '../output.js'
import type { Header, Manifest } from './format.js'

interface Described {
  readonly header: Header
  readonly manifest: Manifest
}

const rowsOf = ({ tables }: Manifest): number => Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)

/** For --json. */
export function summaryOf({ file, header, manifest }: Described & { readonly file: string }) {
  const { program, created, organization } = header
  const { count, bytes, missing } = manifest.files
  return { file, program, created, organization, rows: rowsOf(manifest), files: count, file_bytes: bytes, missing }
}

/** For people. */
export function described({ header, manifest }: Described): string {
  const { organization, created, program } = header
  const { count, bytes } = manifest.files
  const contents = `${rowsOf(manifest)} rows and ${count} files of ${bytes} bytes`
  return `${printable(organization.name)} (${organization.uuid}) as of ${created}, release ${program}: ${contents}`
}

/** What the server of the archive had in its environment, and this command has not. */
export function settingLines({ settings, secrets }: Header): string[] {
  const here = shownSettings(process.env)
  const others = Object.entries(settings).filter(([name, value]) => here.settings[name] !== value)
  const missing = secrets.filter(name => !here.secrets.includes(name))
  return [
    ...(others.length > 0 ? ['Settings of the archive that differ here:'] : []),
    ...others.map(([name, value]) => `  ${name}=${value}`),
    ...(missing.length > 0
      ? [`Not in the archive, because they are secret, and not set here: ${missing.join(', ')}`]
      : []),
  ]
}

export function warnOfMissing({ files: { missing } }: Manifest): void {
  if (missing > 0) say(`The store of files lacked ${missing} of the files that the database names.`)
}
