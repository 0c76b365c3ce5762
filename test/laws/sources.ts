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
  return filesIn(folders)
    .filter(path => endings.some(ending => path.endsWith(ending)))
    .map(path => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
}

/** The paths of all files in these folders, from the root of the package, with slashes. */
export function filesIn(folders: readonly string[]): string[] {
  return folders
    .flatMap(folder => filesBelow(join(projectRoot, folder)))
    .map(file => relative(projectRoot, file).replaceAll('\\', '/'))
    .sort()
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
}

/** Number of the line, from 1. */
export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
