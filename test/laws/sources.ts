import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { projectRoot } from '../../server/config/paths.js'

export interface Source {
  /** From the root of the package, with slashes. */
  readonly path: string
  readonly text: string
}

/** The files of these folders in the source tree. */
export function sourcesIn(folders: readonly string[], endings: readonly string[] = ['.ts', '.mjs']): Source[] {
  return folders
    .flatMap(folder => filesBelow(join(projectRoot, folder)))
    .filter(file => endings.some(ending => file.endsWith(ending)))
    .map(file => ({ path: relative(projectRoot, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
}

/** Number of the line, from 1. */
export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
